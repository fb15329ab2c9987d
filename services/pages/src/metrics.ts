import { closedConnectionReasons } from '@storekeep/common/http'
import { type Counter, createMetrics, type Metrics } from '@storekeep/common/telemetry'

/** Every metric of the pages. Labels never contain an id, a path or a token. */
export function createPagesMetrics(): PagesMetrics {
  const metrics = createMetrics({ service: 'pages', processMetrics: true })
  return {
    metrics,
    requestDuration: metrics.histogram(
      'http_server_request_duration_seconds',
      'Duration of requests, by method, path template and status.',
      ['http_request_method', 'http_route', 'http_response_status_code'],
    ),
    limitedRequests: metrics.counter(
      'rate_limited_requests_total',
      'Requests refused by a rate limit, by policy.',
      ['policy'],
      {
        policy: [
          'address',
          'form-address',
          'form-token',
          'unknown-token',
          'webhook-address',
          'webhook-store',
          'concurrency',
          'unfinished-bodies',
        ],
      },
    ),
    closedConnections: metrics.counter(
      'connections_closed_total',
      'Connections closed because a client exceeded a limit, by reason.',
      ['reason'],
      { reason: closedConnectionReasons },
    ),
    cspReports: metrics.counter(
      'csp_reports_total',
      'Violations of the content security policy that browsers reported.',
    ),
  }
}

export interface PagesMetrics {
  metrics: Metrics
  requestDuration: ReturnType<Metrics['histogram']>
  limitedRequests: Counter
  closedConnections: Counter
  cspReports: Counter
}
