import type { Logger } from '../log/index.ts'
import type { Database } from '../postgres/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { countOversized } from './outbox.ts'

/**
 * Watches for events that exceed `max_payload` of the NATS server. They exist only if it is below its default of 1 MiB,
 * which `publishEvent` enforces, and stay in the outbox until it is raised. Exports `outbox_oversized_events`.
 */
export function watchOversizedEvents({ database, log, metrics }: WatchOptions): OversizedEvents {
  let known = 0
  let dueAt = 0
  metrics.gauge(
    'outbox_oversized_events',
    'Unpublished outbox events that exceed max_payload of the NATS server.',
    () => known,
  )
  return {
    async check(maxBytes) {
      if (performance.now() < dueAt) return
      dueAt = performance.now() + checkMs
      const count = await countOversized(database, maxBytes)
      if (count > known)
        log.error({ count, limit: maxBytes }, 'events exceed max_payload: skipped until the limit is raised')
      known = count
    },
  }
}

const checkMs = 5000

interface WatchOptions {
  database: Database
  log: Logger
  metrics: Metrics
}

interface OversizedEvents {
  /** Counts oversized events, at most every 5 s. @param maxBytes maximum payload */
  check(maxBytes: number): Promise<void>
}
