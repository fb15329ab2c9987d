import type { Metrics } from '../telemetry/index.ts'

/**
 * Exports the retries of calls to one server, and the remaining retry budget (see `createRetry`).
 *
 * @param server address and cell of the called service; default: the cell of the calling service
 * @param tokens remaining retry budget
 */
export function exportRetries(
  metrics: Metrics,
  { address, cell }: { address: string; cell?: number | undefined },
  tokens: () => number,
): RetryCounts {
  const all = byMetrics.get(metrics) ?? createRetryMetrics(metrics)
  const labels = { server_address: address, ...(cell !== undefined && { cell: String(cell) }) }
  all.tokens.push({ labels, left: tokens })
  all.retried.inc(labels, 0)
  all.suppressed.inc(labels, 0)
  return {
    retried: () => all.retried.inc(labels),
    suppressed: () => all.suppressed.inc(labels),
  }
}

/** Counts what happens to calls, once per failed attempt. */
export interface RetryCounts {
  retried(): void
  suppressed(): void
}

function createRetryMetrics(metrics: Metrics): RetryMetrics {
  const labelNames = ['server_address', 'cell']
  const tokens: RetryMetrics['tokens'] = []
  metrics.gauge(
    'rpc_client_retry_tokens',
    'Remaining retry budget of a server, 0 to 100; calls are not retried at 50 and below.',
    () => tokens.map(({ labels, left }) => ({ labels, value: left() })),
    labelNames,
  )
  const created = {
    tokens,
    retried: metrics.counter('rpc_client_retries_total', 'Retried gRPC calls, by server.', labelNames),
    suppressed: metrics.counter(
      'rpc_client_retries_suppressed_total',
      'Failed gRPC calls that were not retried because the retry budget was exhausted, by server.',
      labelNames,
    ),
  }
  byMetrics.set(metrics, created)
  return created
}

/** All clients of a process share these metrics. */
const byMetrics = new WeakMap<Metrics, RetryMetrics>()

interface RetryMetrics {
  tokens: { labels: Readonly<Record<string, string>>; left: () => number }[]
  retried: ReturnType<Metrics['counter']>
  suppressed: ReturnType<Metrics['counter']>
}
