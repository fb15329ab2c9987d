import { type Counter, createMetrics, type Metrics } from '../telemetry/index.ts'
import { closedConnectionReasons } from './guard-connections.ts'

/**
 * Creates the metrics of a process that serves HTTP. Labels never contain an id, a path or a token.
 * @param policies the rate limits of the process
 */
export function createHttpMetrics(service: string, policies: readonly string[]): HttpMetrics {
  const metrics = createMetrics({ service, processMetrics: true })
  return {
    metrics,
    requestDuration: metrics.histogram(
      'http_server_request_duration_seconds',
      'Duration of requests, by method, path template and status.',
      ['http_request_method', 'http_route', 'http_response_status_code'],
    ),
    limitedRequests: metrics.counter(
      'rate_limited_requests_total',
      'Requests rejected by a rate limit, by policy.',
      ['policy'],
      { policy: [...policies, 'concurrency', 'unfinished-bodies'] },
    ),
    closedConnections: metrics.counter(
      'connections_closed_total',
      'Connections closed because a client exceeded a limit, by reason.',
      ['reason'],
      { reason: closedConnectionReasons },
    ),
  }
}

export interface HttpMetrics {
  metrics: Metrics
  requestDuration: ReturnType<Metrics['histogram']>
  limitedRequests: Counter
  closedConnections: Counter
}
