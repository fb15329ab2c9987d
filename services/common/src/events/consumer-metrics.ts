import type { Metrics } from '../telemetry/index.ts'

/** Creates the metrics of consumers, which all consumers of a process share. */
export function createConsumerMetrics(metrics: Metrics): ConsumerMetrics {
  const known = byMetrics.get(metrics)
  if (known) return known
  const consumed = metrics.counter('events_consumed_total', 'Delivered events, by consumer and outcome.', [
    'consumer',
    'outcome',
  ])
  const lag = metrics.gauge(
    'consumer_lag_events',
    'Events in the stream that the consumer has not applied yet.',
    undefined,
    ['consumer'],
  )
  const deadLetters = metrics.gauge(
    'dead_letters',
    'Dead-letter events that have not been replayed, by consumer.',
    undefined,
    ['consumer'],
  )
  const created = { consumed, lag, deadLetters }
  byMetrics.set(metrics, created)
  return created
}

const byMetrics = new WeakMap<Metrics, ConsumerMetrics>()

interface ConsumerMetrics {
  consumed: ReturnType<Metrics['counter']>
  lag: ReturnType<Metrics['gauge']>
  deadLetters: ReturnType<Metrics['gauge']>
}
