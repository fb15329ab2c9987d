import type { Metrics } from '../telemetry/index.ts'

/** The metrics that all consumers of a process share, told apart by the label `consumer`. */
export function createConsumerMetrics(metrics: Metrics): ConsumerMetrics {
  const known = made.get(metrics)
  if (known) return known
  const consumed = metrics.counter(
    'events_consumed_total',
    'Deliveries of events, by consumer and what became of them.',
    ['consumer', 'outcome'],
  )
  const lag = metrics.gauge('consumer_lag_events', 'Events of the stream that are not applied yet.', undefined, [
    'consumer',
  ])
  const deadLetters = metrics.gauge('dead_letters', 'Events that were given up and not replayed.', undefined, [
    'consumer',
  ])
  const created = { consumed, lag, deadLetters }
  made.set(metrics, created)
  return created
}

const made = new WeakMap<Metrics, ConsumerMetrics>()

interface ConsumerMetrics {
  consumed: ReturnType<Metrics['counter']>
  lag: ReturnType<Metrics['gauge']>
  deadLetters: ReturnType<Metrics['gauge']>
}
