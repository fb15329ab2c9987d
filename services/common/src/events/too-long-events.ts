import type { Logger } from '../log/index.ts'
import type { Database } from '../postgres/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { countTooLong } from './outbox.ts'

/**
 * Watches for events that are longer than the server takes. `publishEvent` writes none unless the server takes less
 * than the usual 1 MiB; they wait in the outbox until it takes more. Exports `outbox_oversized_events`.
 */
export function watchTooLongEvents({ database, log, metrics }: WatchOptions): TooLongEvents {
  let known = 0
  let dueAt = 0
  metrics.gauge(
    'outbox_oversized_events',
    'Unpublished outbox events that exceed max_payload of the NATS server.',
    () => known,
  )
  return {
    async look(maxBytes) {
      if (performance.now() < dueAt) return
      dueAt = performance.now() + lookMs
      const count = await countTooLong(database, maxBytes)
      if (count > known) log.error({ count, maxBytes }, 'events are too long for NATS; they wait, and others pass them')
      known = count
    },
  }
}

const lookMs = 5000

interface WatchOptions {
  database: Database
  log: Logger
  metrics: Metrics
}

interface TooLongEvents {
  /** Counts them, at most every 5 s. */
  look(maxBytes: number): Promise<void>
}
