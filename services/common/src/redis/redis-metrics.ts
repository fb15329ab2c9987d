import type { Metrics } from '../telemetry/index.ts'
import type { Redis } from './redis.ts'

/** Exports `redis_connected`. */
export function exportRedisState(metrics: Metrics, redis: Pick<Redis, 'isReady'>): void {
  metrics.gauge('redis_connected', 'Whether Redis answers: 1, or 0 when it does not.', () => (redis.isReady() ? 1 : 0))
}

/**
 * Counts the times that a process went on without Redis, by what it was to do.
 * @param uses all that this process has
 */
export function createRedisFallbacks(metrics: Metrics, uses: readonly string[]): ReturnType<Metrics['counter']> {
  return metrics.counter('redis_fallbacks_total', 'Times that Redis could not be asked or told, by use.', ['use'], {
    use: uses,
  })
}
