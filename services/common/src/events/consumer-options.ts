import type { Logger } from '../log/index.ts'
import type { Nats } from '../nats/index.ts'
import type { Database } from '../postgres/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import type { EventHandler } from './envelope.ts'

export interface ConsumerOptions {
  /**
   * The cell whose events it applies (decision 0039). An event of another cell, which shares the stream by mistake, becomes a dead
   * letter. Undefined: those of all cells; for tests.
   */
  cell?: number
  database: Database
  nats: Nats
  stream: string
  /**
   * Name of the durable consumer: service and purpose, `customers-profiles`. Replicas share it and divide the work. If
   * the filter or mode changes, choose a new name.
   */
  name: string
  /** Subject filter without the stream prefix: `customers.customer.created`, `stores.>`. nats-server 2.9 allows one. */
  filterSubject: string
  /** One per event type; other types are ignored. */
  handlers: readonly EventHandler[]
  /**
   * `every`: every event is applied exactly once, in order per aggregate as long as none fails.
   * `newest`: an event is applied only if it is newer than the last applied one of its aggregate. For effects that
   * overwrite, such as an index. A deleted aggregate stays deleted.
   */
  deliver: 'every' | 'newest'
  /** Failed attempts after which an event becomes a dead letter. Default: 8. */
  maxAttempts?: number
  /** Delay before the second delivery; doubles up to 30 s. Default: 1,000. */
  retryDelayMs?: number
  log: Logger
  metrics: Metrics
}
