import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf'
import type { Transaction } from '../postgres/index.ts'
import { publishEvent } from './publish-event.ts'

/**
 * One kind of aggregate of a service, whose events are published alike.
 * @param service name of the service that owns it
 * @param aggregate what one is called in subjects: `customer`, `api_key`
 */
export function defineAggregate(service: string, aggregate: string): Aggregate {
  return {
    async publish(tx, { id, version, storeId }, { traceparent }, event) {
      const of = { aggregateId: id, aggregateVersion: version, storeId }
      await publishEvent(tx, { service, aggregate, ...of, traceparent, ...event })
    },
  }
}

export interface Aggregate {
  /** See `publishEvent`. `row` is the aggregate after the change. */
  publish<S extends DescMessage>(tx: Transaction, row: AggregateRow, cause: Cause, event: OwnEvent<S>): Promise<void>
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
