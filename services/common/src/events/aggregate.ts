import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf'
import type { Transaction } from '../postgres/index.ts'
import { publishEvent } from './publish-event.ts'

/**
 * One kind of aggregate of a service, whose events are published alike.
 * @param service name of the service that owns it
 * @param aggregate what one is called in subjects: `customer`, `api_key`
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
  /** See `publishEvent`. `row` is the aggregate after the change. */
  publish<S extends DescMessage>(tx: Transaction, row: AggregateRow, cause: Cause, event: OwnEvent<S>): Promise<void>
  /**
   * The last event, of an aggregate as it was before. It has the version after the last change, so that no late update
   * brings the aggregate back.
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

/** What led to a change: a call, or another event. */
export interface Cause {
  traceparent: string | undefined
}

interface OwnEvent<S extends DescMessage> {
  verb: string
  schema: S
  message: MessageInitShape<S>
}
