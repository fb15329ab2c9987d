import type { Metrics } from '@storekeep/common/telemetry'

export type QueueMetrics = ReturnType<typeof createQueueMetrics>

export function createQueueMetrics(metrics: Metrics) {
  return {
    polls: metrics.counter('delivery_polls_total', 'Polls of game servers, by outcome.', ['outcome'], {
      outcome: ['commands', 'empty', 'failed'],
    }),
    queries: metrics.counter('delivery_poll_queries_total', 'Polls that queried the database.'),
    givenOut: metrics.counter(
      'delivery_commands_given_out_total',
      'Commands given out to game servers, for the first time or again.',
      ['occasion'],
      { occasion: ['first', 'repeated'] },
    ),
    acknowledgements: metrics.counter(
      'delivery_acknowledgements_total',
      'Acknowledged commands, by outcome. All outcomes but `executed` change nothing.',
      ['outcome'],
      { outcome: ['executed', 'repeated', 'unqueued', 'unknown', 'malformed'] },
    ),
    stuck: metrics.counter('delivery_commands_stuck_total', 'Commands that became stuck.'),
    due: metrics.gauge(
      'delivery_commands_due',
      'Commands for game servers that are due and need no player, counted up to 100,000.',
    ),
    oldestDue: metrics.gauge(
      'delivery_oldest_due_command_age_seconds',
      'How long the oldest due command has waited for a poll, of the game servers that poll; 0 if none is due.',
    ),
    stuckNow: metrics.gauge('delivery_commands_stuck', 'Commands that are stuck, counted up to 100,000.'),
    servers: metrics.gauge(
      'delivery_game_servers',
      'Enabled game servers that have fetched commands in the last minutes (connected), or only before (disconnected).',
      undefined,
      ['state'],
    ),
    latency: metrics.histogram(
      'delivery_execution_latency_seconds',
      'Time from when a command that needs no player is due until its game server has acknowledged it.',
      [],
      [0.1, 0.5, 1, 2, 5, 15, 60, 600, 3600, 86_400],
    ),
  }
}
