import type { Metrics } from '../telemetry/index.ts'

/**
 * Exports what becomes of failed calls to a server: how many were tried again, how many were not because too many had
 * failed before (see `createRetry`), and how near that is; and how many were slow and put to a second replica too.
 *
 * @param server address of the service that is called
 * @param tokens what is left of the budget of retries
 */
export function exportRetries(metrics: Metrics, server: string, tokens: () => number): RetryCounts {
  const all = made.get(metrics) ?? create(metrics)
  all.tokens.set(server, tokens)
  const labels = { server_address: server }
  all.retried.inc(labels, 0)
  all.suppressed.inc(labels, 0)
  for (const outcome of hedgeOutcomes) all.hedges.inc({ ...labels, outcome }, 0)
  return {
    retried: () => all.retried.inc(labels),
    suppressed: () => all.suppressed.inc(labels),
    hedged: (outcome) => all.hedges.inc({ ...labels, outcome }),
  }
}

/** What happened to a call; each is reported once per attempt that failed. */
export interface RetryCounts {
  retried(): void
  suppressed(): void
  /** A call that waited was put to a second replica, or was not because too many had been or had failed before. */
  hedged(outcome: (typeof hedgeOutcomes)[number]): void
}

const hedgeOutcomes = ['sent', 'suppressed'] as const

function create(metrics: Metrics): RetryMetrics {
  const labelNames = ['server_address']
  const tokens = new Map<string, () => number>()
  metrics.gauge(
    'rpc_client_retry_tokens',
    'What is left of the budget of retries, of 100; at 50 and below no call is tried again.',
    () => [...tokens].map(([server, left]) => ({ labels: { server_address: server }, value: left() })),
    labelNames,
  )
  const created = {
    tokens,
    retried: metrics.counter('rpc_client_retries_total', 'Calls that were tried again.', labelNames),
    suppressed: metrics.counter(
      'rpc_client_retries_suppressed_total',
      'Calls that were not tried again because too many had failed before.',
      labelNames,
    ),
    hedges: metrics.counter(
      'rpc_client_hedges_total',
      'Slow reads, by whether they were put to a second replica or the budget of retries was too far gone for that.',
      [...labelNames, 'outcome'],
    ),
  }
  made.set(metrics, created)
  return created
}

/** The clients of a process share its metrics. */
const made = new WeakMap<Metrics, RetryMetrics>()

interface RetryMetrics {
  tokens: Map<string, () => number>
  retried: ReturnType<Metrics['counter']>
  suppressed: ReturnType<Metrics['counter']>
  hedges: ReturnType<Metrics['counter']>
}
