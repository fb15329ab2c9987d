import { randomUUIDv7 } from 'node:crypto'
import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf'
import { encode } from '@storekeep/proto/codec'
import type { Transaction } from '../postgres/index.ts'
import { headerBytes } from './envelope.ts'

/** An event to publish: a change of one aggregate. */
interface EventDraft<S extends DescMessage> {
  /** Service that owns the aggregate, as in the subject. */
  service: string
  /** Aggregate type: `customer`, `api_key`. */
  aggregate: string
  /** Verb in the past tense: `created`. */
  verb: string
  aggregateId: string
  /** Version of the aggregate after the change. Every change increases it; events of an aggregate never share one. */
  aggregateVersion: string | number
  /** Store of the aggregate; undefined if it belongs to none. */
  storeId: string | undefined
  /** Message type of the event. */
  schema: S
  /** The whole resource after the change, so that consumers need neither its history nor another call. */
  message: MessageInitShape<S>
  traceparent: string | undefined
}

/**
 * Publishes an event by writing it to the outbox in the transaction of the change (decision 0002). The relay sends it to
 * `<stream>.<service>.<aggregate>.<verb>` after the commit. The row is written with the commit, so statements of the same
 * transaction do not see it.
 *
 * Events of an aggregate keep the order of their transactions, provided that the transaction changed or locked the row of
 * the aggregate before publishing; increasing its version does.
 *
 * A deletion is published like any other change: with the next version and the last state of the resource.
 *
 * @throws Error if the event exceeds the maximum size of a NATS message. Services limit their resources accordingly
 */
export async function publishEvent<S extends DescMessage>(tx: Transaction, event: EventDraft<S>): Promise<void> {
  const payload = encode(event.schema, event.message)
  if (payload.length > maxEventBytes) {
    throw new Error(`The event ${event.aggregate}.${event.verb} is too long to publish: ${payload.length} bytes.`)
  }
  tx.insert('outbox', {
    event_id: randomUUIDv7(),
    store_id: event.storeId ?? null,
    service: event.service,
    aggregate: event.aggregate,
    aggregate_id: event.aggregateId,
    aggregate_version: event.aggregateVersion,
    verb: event.verb,
    type: event.schema.typeName,
    payload,
    traceparent: event.traceparent ?? null,
  })
}

/** The default max_payload of NATS is 1 MiB, including headers. */
const maxEventBytes = 1024 * 1024 - headerBytes
