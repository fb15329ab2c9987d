import type { Metrics } from '../telemetry/index.ts'
import type { Redis } from './redis.ts'

/** Exports `redis_connected`. */
export function exportRedisState(metrics: Metrics, redis: Pick<Redis, 'isReady'>): void {
  metrics.gauge('redis_connected', '1 while Redis is connected and responding, otherwise 0.', () =>
    redis.isReady() ? 1 : 0,
  )
}

/**
 * Creates the counter of operations that continued without Redis.
 * @param uses the values of its label `use`
 */
export function createRedisFallbacks(metrics: Metrics, uses: readonly string[]): ReturnType<Metrics['counter']> {
  return metrics.counter('redis_fallbacks_total', 'Operations that continued without Redis, by use.', ['use'], {
    use: uses,
  })
}
