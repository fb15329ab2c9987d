import type { Metrics } from '../telemetry/index.ts'

/** The metrics of consumers, which all consumers of a process share. */
export function consumerMetrics(metrics: Metrics): ConsumerMetrics {
  const shared = byMetrics.get(metrics) ?? create(metrics)
  byMetrics.set(metrics, shared)
  return shared
}

const byMetrics = new WeakMap<Metrics, ConsumerMetrics>()
type ConsumerMetrics = ReturnType<typeof create>

function create({ counter, gauge }: Metrics) {
  const consumer = ['consumer']
  return {
    consumed: counter('events_consumed_total', 'Delivered events, by consumer and outcome.', ['consumer', 'outcome']),
    lag: gauge(
      'consumer_lag_events',
      'Events in the stream that the consumer has not applied yet.',
      undefined,
      consumer,
    ),
    deadLetters: gauge(
      'dead_letters',
      'Dead-letter events that have not been replayed, by consumer.',
      undefined,
      consumer,
    ),
  }
}
