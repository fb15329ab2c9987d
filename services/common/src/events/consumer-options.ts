import type { Logger } from '../log/index.ts'
import type { Nats } from '../nats/index.ts'
import type { Database } from '../postgres/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import type { EventHandler } from './envelope.ts'

export interface ConsumerOptions {
  database: Database
  nats: Nats
  stream: string
  /**
   * Name of the durable consumer: the service and what it does, `customers-profiles`. Replicas share it and the work.
   * A consumer whose filter or mode changes gets a new name.
   */
  name: string
  /** Subjects without the stream's prefix: `customers.customer.created`, `stores.>`. One filter, for old servers. */
  filterSubject: string
  /** One per type of event; events of other types are passed over. */
  handlers: readonly EventHandler[]
  /**
   * `every`: each event has its effect once; order within an aggregate holds while nothing fails.
   * `newest`: an event that is not newer than the last applied one of its aggregate has none. For effects that
   * overwrite, such as an index; a deleted aggregate then stays deleted.
   */
  deliver: 'every' | 'newest'
  /** Failures of its own after which an event becomes a dead letter; 8 unless given. */
  maxAttempts?: number
  /** Wait before the second delivery; doubles up to 30 s. 1,000 unless given. */
  retryDelayMs?: number
  /** Woken after each applied event, since its effect may have published others. */
  relay?: { wake: () => void }
  log: Logger
  metrics: Metrics
}
