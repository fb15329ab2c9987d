import type { DescMessage } from '@bufbuild/protobuf'
import type { Logger } from '../log/index.ts'
import type { Nats } from '../nats/index.ts'
import type { Database, Transaction } from '../postgres/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import type { EventEnvelope, EventHandler } from './envelope.ts'

/** What a service defines about one of its consumers. */
export type ConsumerParts = SharedConsumerParts | OrderedConsumerParts

interface NamedParts {
  /**
   * Name of the consumer: service and purpose, `customers-profiles`. All replicas use it. If the filter or mode changes, choose
   * a new name.
   */
  name: string
  /** Subject filter without the stream prefix: `customers.customer.created`, `stores.>`. nats-server 2.9 allows one. */
  filterSubject: string
}

/** A consumer whose events the replicas share. */
export interface SharedConsumerParts extends NamedParts {
  /**
   * `every`: every event is applied exactly once, in order per aggregate as long as none fails.
   * `newest`: an event is applied only if it is newer than the last applied one of its aggregate. For effects that
   * overwrite, such as an index. A deleted aggregate stays deleted.
   */
  deliver: 'every' | 'newest'
  /** One per event type; other types are ignored. */
  handlers: readonly EventHandler[]
}

/** A consumer whose events one replica applies, in the order of the stream. */
export interface OrderedConsumerParts extends NamedParts {
  deliver: 'in-order'
  /** The messages of all event types that can be chosen. */
  schemas: readonly DescMessage[]
  /**
   * Chooses the events to apply. Called once per batch, outside of the transaction, with events of the types in `schemas`;
   * nothing is written for a batch without chosen events.
   */
  choose(events: readonly EventHead[]): Promise<(event: EventHead) => boolean>
  /**
   * Applies events in the order of the stream, through `tx` only. An event can be passed again after the stream was lost, so
   * applying it twice must have no effect.
   */
  apply(tx: Transaction, events: readonly EventEnvelope[]): Promise<void>
}

/** The part of an event that can be read without decoding its message. */
export interface EventHead {
  id: string
  /** Full name of the message type. */
  type: string
  storeId: string | undefined
}

export type ConsumerOptions<Parts extends ConsumerParts = ConsumerParts> = Parts & {
  /**
   * The cell of this process (decision 0039). An event of another cell, which shares the stream by mistake, becomes a dead
   * letter. Undefined: events of all cells are applied; for tests.
   */
  cell?: number
  database: Database
  nats: Nats
  stream: string
  /** Failed attempts after which an event becomes a dead letter. Default: 8, with `in-order` 3. */
  maxAttempts?: number
  /** Delay before the second attempt; doubles up to 30 s, with `in-order` 5 s. Default: 1,000, with `in-order` 250. */
  retryDelayMs?: number
  log: Logger
  metrics: Metrics
}
