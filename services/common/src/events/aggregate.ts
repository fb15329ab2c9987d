import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf'
import type { Transaction } from '../postgres/index.ts'
import { publishEvent } from './publish-event.ts'

/**
 * Defines an aggregate type of a service, for publishing its events.
 * @param service name of the owning service
 * @param aggregate name in event subjects: `customer`, `api_key`
 */
export function defineAggregate(service: string, aggregate: string): Aggregate {
  const kind: Aggregate = {
    async publish(tx, { id, version, storeId }, { traceparent }, event) {
      const of = { aggregateId: id, aggregateVersion: version, storeId }
      await publishEvent(tx, { service, aggregate, ...of, traceparent, ...event })
    },
    async publishDeleted(tx, before, cause, { schema, messageOf }) {
      const row = { ...before, version: String(BigInt(before.version) + 1n) }
      await kind.publish(tx, row, cause, { verb: 'deleted', schema, message: messageOf(row) })
    },
  }
  return kind
}

export interface Aggregate {
  /** Publishes an event (see `publishEvent`). @param row the aggregate after the change */
  publish<S extends DescMessage>(tx: Transaction, row: AggregateRow, cause: Cause, event: OwnEvent<S>): Promise<void>
  /**
   * Publishes that an aggregate was deleted. The event has the next version, so that a late update cannot restore the
   * aggregate.
   * @param before the aggregate before it was deleted
   */
  publishDeleted<S extends DescMessage, R extends AggregateRow & { version: string }>(
    tx: Transaction,
    before: R,
    cause: Cause,
    event: { schema: S; messageOf: (row: R) => MessageInitShape<S> },
  ): Promise<void>
}

interface AggregateRow {
  id: string
  version: string | number
  storeId: string
}

/** The cause of a change: a call or another event. */
export interface Cause {
  traceparent: string | undefined
}

interface OwnEvent<S extends DescMessage> {
  verb: string
  schema: S
  message: MessageInitShape<S>
}
