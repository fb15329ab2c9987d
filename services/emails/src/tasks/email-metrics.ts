import type { Metrics } from '@storekeep/common/telemetry'

export type EmailMetrics = ReturnType<typeof createEmailMetrics>

export function createEmailMetrics(metrics: Metrics) {
  return {
    attempts: metrics.counter('email_attempts_total', 'Attempts to send emails, by outcome.', ['outcome'], {
      outcome: ['sent', 'bounced', 'deferred', 'unavailable', 'suppressed', 'postponed'],
    }),
    failed: metrics.counter('emails_failed_total', 'Emails that were given up after three days.', []),
    latency: metrics.histogram(
      'email_latency_seconds',
      'Time from the creation of an email until the SMTP server has accepted it, retries included.',
      [],
      [1, 5, 30, 60, 600, 3600, 86_400],
    ),
    pending: metrics.gauge('emails_pending', 'Emails that have not been sent yet, counted up to 100,000.'),
    oldestDue: metrics.gauge(
      'email_oldest_due_age_seconds',
      'How long the oldest due email has waited for its attempt; 0 if none is due. High when the senders cannot keep up.',
    ),
  }
}
