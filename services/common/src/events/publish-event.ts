import { randomUUIDv7 } from 'node:crypto'
import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import sql from 'sql-template-tag'
import type { Transaction } from '../postgres/index.ts'
import { headerBytes } from './envelope.ts'

/** Something that happened to one aggregate, told to other services. */
export interface EventDraft<S extends DescMessage> {
  /** Service that owns the aggregate; lower case, as in the subject. */
  service: string
  /** Kind of aggregate: `customer`, `api_key`. */
  aggregate: string
  /** What happened, in the past: `created`. */
  verb: string
  aggregateId: string
  /** Version of the aggregate after the change. Every change raises it, and no two events of one aggregate share it. */
  aggregateVersion: string | number
  /** Store that the aggregate belongs to; undefined for none. */
  storeId: string | undefined
  /** Message type of the event. */
  schema: S
  /** The whole resource as it is now, not what changed, so that a consumer needs neither history nor a call back. */
  message: MessageInitShape<S>
  traceparent: string | undefined
}

/**
 * Publishes an event by writing it into the outbox, in the transaction of the change: both happen or neither. The
 * relay sends it on after the commit, to `<stream>.<service>.<aggregate>.<verb>`. The row is written with the commit;
 * statements of the same transaction do not see it.
 *
 * Events of one aggregate arrive in the order of their transactions, provided that the transaction has changed or
 * locked the aggregate's row before it publishes (raising its version does that).
 *
 * A deleted aggregate is published like any other change: with the next version and the resource as it last was.
 *
 * @throws Error for an event longer than NATS takes. A service sees to it that its resources stay below.
 */
export async function publishEvent<S extends DescMessage>(tx: Transaction, event: EventDraft<S>): Promise<void> {
  const payload = toBinary(event.schema, create(event.schema, event.message))
  if (payload.length > maxEventBytes) {
    throw new Error(`An event ${event.aggregate}.${event.verb} of ${payload.length} bytes is too long to publish.`)
  }
  tx.enqueueBeforeCommit(sql`
    insert into outbox (
      event_id, store_id, service, aggregate, aggregate_id, aggregate_version, verb, type, payload, traceparent
    ) values (
      ${randomUUIDv7()}, ${event.storeId ?? null}, ${event.service}, ${event.aggregate}, ${event.aggregateId},
      ${event.aggregateVersion}, ${event.verb}, ${event.schema.typeName}, ${payload}, ${event.traceparent ?? null}
    )`)
}

/** NATS takes messages of 1 MiB; the headers have what is left. */
const maxEventBytes = 1024 * 1024 - headerBytes
