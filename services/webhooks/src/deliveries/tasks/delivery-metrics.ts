import type { Metrics } from '@storekeep/common/telemetry'

export type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>

export function createDeliveryMetrics(metrics: Metrics) {
  return {
    attempts: metrics.counter('webhook_attempts_total', 'Requests to webhook endpoints, by outcome.', ['outcome'], {
      outcome: [
        'succeeded',
        'rejected',
        'timeout',
        'connection',
        'tls',
        'address-rejected',
        'dns',
        'too-slow',
        'protocol',
      ],
    }),
    latency: metrics.histogram(
      'webhook_delivery_latency_seconds',
      'Time from a change until an endpoint has accepted its event, retries included.',
      [],
      [0.1, 0.5, 1, 5, 60, 3600, 86_400],
    ),
    pending: metrics.gauge('webhook_deliveries_pending', 'Deliveries that have not ended, counted up to 100,000.'),
    oldestDue: metrics.gauge(
      'webhook_oldest_due_delivery_age_seconds',
      'How long the oldest due delivery has waited for its attempt; 0 if none is due. High when the senders cannot keep up.',
    ),
    failing: metrics.gauge('webhook_endpoints_failing', 'Enabled endpoints whose last attempts have failed.'),
  }
}
