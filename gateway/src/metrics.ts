import { createMetrics, type Metrics } from '@storekeep/common/telemetry'

/** Every metric of the gateway. No label ever holds an id, a path or a name. */
export function createGatewayMetrics(): GatewayMetrics {
  const metrics = createMetrics({ service: 'gateway', processMetrics: true })
  return {
    metrics,
    requestDuration: metrics.histogram(
      'http_server_request_duration_seconds',
      'How long requests took, by method, path template and status.',
      ['http_request_method', 'http_route', 'http_response_status_code'],
    ),
    tokenChecks: metrics.counter('token_checks_total', 'Checks of customer tokens, by outcome.', ['outcome']),
    apiKeyChecks: metrics.counter('api_key_checks_total', 'Checks of API keys, by outcome.', ['outcome']),
    limitedRequests: metrics.counter('rate_limited_requests_total', 'Requests refused by a rate limit, by policy.', [
      'policy',
    ]),
    redisFallbacks: metrics.counter('redis_fallbacks_total', 'Times that Redis could not be asked, by use.', ['use']),
  }
}

export type Counter = ReturnType<Metrics['counter']>

export interface GatewayMetrics {
  metrics: Metrics
  requestDuration: ReturnType<Metrics['histogram']>
  tokenChecks: Counter
  apiKeyChecks: Counter
  limitedRequests: Counter
  redisFallbacks: Counter
}
