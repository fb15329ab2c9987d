import { closedConnectionReasons } from '@storekeep/common/http'
import { createRedisFallbacks } from '@storekeep/common/redis'
import { type Counter, createMetrics, type Metrics } from '@storekeep/common/telemetry'
import { apiKeyCheckOutcomes } from '@storekeep/proto/conventions/api-key'
import { tokenCheckOutcomes } from '@storekeep/proto/conventions/customer-token'

/** Every metric of the gateway. Labels never contain an id, a path or a name. */
export function createGatewayMetrics(): GatewayMetrics {
  const metrics = createMetrics({ service: 'gateway', processMetrics: true })
  return {
    metrics,
    requestDuration: metrics.histogram(
      'http_server_request_duration_seconds',
      'Duration of requests, by method, path template and status.',
      ['http_request_method', 'http_route', 'http_response_status_code'],
    ),
    tokenChecks: metrics.counter('token_checks_total', 'Customer token checks, by outcome.', ['outcome'], {
      outcome: tokenCheckOutcomes,
    }),
    apiKeyChecks: metrics.counter('api_key_checks_total', 'API key checks, by outcome.', ['outcome'], {
      outcome: apiKeyCheckOutcomes,
    }),
    limitedRequests: metrics.counter(
      'rate_limited_requests_total',
      'Requests refused by a rate limit, by policy.',
      ['policy'],
      {
        policy: [
          'api-key',
          'failed-api-key',
          'failed-token',
          'unknown-store',
          'sign-in-address',
          'sign-in-name',
          'sign-in-store',
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
    redisFallbacks: createRedisFallbacks(metrics, ['token-epochs', 'rate-limit']),
  }
}

export interface GatewayMetrics {
  metrics: Metrics
  requestDuration: ReturnType<Metrics['histogram']>
  tokenChecks: Counter
  apiKeyChecks: Counter
  limitedRequests: Counter
  closedConnections: Counter
  redisFallbacks: Counter
}
