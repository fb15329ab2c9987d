import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf'
import type { JsMsg } from '@nats-io/jetstream'
import { headers, type MsgHdrs } from '@nats-io/transport-node'
import type { Transaction } from '../postgres/index.ts'
import type { OutboxRow } from './outbox.ts'

/** An event as its consumer gets it. */
export interface EventEnvelope<S extends DescMessage = DescMessage> {
  /** UUID; the same however often the event is delivered. */
  id: string
  subject: string
  /** Full name of the message. */
  type: string
  aggregate: string
  aggregateId: string
  aggregateVersion: string
  storeId: string | undefined
  /** When the change was made. */
  time: Date
  traceparent: string | undefined
  message: MessageShape<S>
}

/** What a consumer does on some types of event. */
export interface EventHandler {
  schemas: readonly DescMessage[]
  prepare?: (event: EventEnvelope) => Promise<unknown>
  handle: (tx: Transaction, event: EventEnvelope, prepared: unknown) => Promise<void>
  /** The same for several events, of as many aggregates. */
  handleAll?: (tx: Transaction, events: readonly EventEnvelope[]) => Promise<void>
}

/**
 * The handler of one type of event, or of several that have the same effect.
 *
 * @param handle has its effect, through `tx` only: effect and the note that the event was applied are committed
 * together. It runs again after a failure. With `deliver: 'every'` compare `aggregateVersion` with what is stored
 * before overwriting newer data, and keep a row with its version for what was deleted
 * @param prepare work outside the database, such as a call to another system, before the transaction begins; what it
 * returns is given to `handle`. It may run more than once for one event. Throw a `PostponeEvent` while the other system
 * is away
 */
export function onEvent<S extends DescMessage, P = undefined>(
  schemas: S | readonly S[],
  handle: (tx: Transaction, event: EventEnvelope<S>, prepared: P) => Promise<void>,
  prepare?: (event: EventEnvelope<S>) => Promise<P>,
): EventHandler {
  return { schemas: [schemas].flat(), handle, ...(prepare && { prepare }) } as EventHandler
}

/**
 * The handler of events that come in great numbers, where many in one transaction cost much less than one in each. For
 * consumers that want the newest.
 *
 * @param handleAll as `handle` of `onEvent`, for the newest events of one or more aggregates
 */
export function onEvents<S extends DescMessage>(
  schemas: readonly S[],
  handleAll: (tx: Transaction, events: readonly EventEnvelope<S>[]) => Promise<void>,
): EventHandler {
  return {
    schemas,
    handleAll,
    handle: (tx: Transaction, event: EventEnvelope<S>) => handleAll(tx, [event]),
  } as EventHandler
}

/** CloudEvents attributes in binary mode, and the id that JetStream recognises a repeated publish by. */
export function envelopeHeaders(row: OutboxRow, traceparent: string | null): MsgHdrs {
  const given = headers()
  given.set('ce-specversion', '1.0')
  given.set('ce-id', row.event_id)
  given.set('ce-source', `/storekeep/${row.service}`)
  given.set('ce-type', row.type)
  given.set('ce-subject', row.aggregate_id)
  given.set('ce-time', row.created_at.toISOString())
  given.set('ce-datacontenttype', 'application/protobuf')
  given.set('ce-aggregate', row.aggregate)
  given.set('ce-aggregateversion', row.aggregate_version)
  if (row.store_id !== null) given.set('ce-storeid', row.store_id)
  if (traceparent !== null) given.set('traceparent', traceparent)
  return given
}

/**
 * Reads a message of the stream. @throws Error saying what is wrong with it; it will be as wrong the next time
 */
export function readEnvelope<S extends DescMessage>(message: JsMsg, schema: S): EventEnvelope<S> {
  return {
    id: required(message, 'ce-id', uuid),
    subject: message.subject,
    type: required(message, 'ce-type', /./),
    aggregate: required(message, 'ce-aggregate', /./),
    aggregateId: required(message, 'ce-subject', /./),
    aggregateVersion: required(message, 'ce-aggregateversion', /^[0-9]{1,18}$/),
    storeId: optional(message, 'ce-storeid'),
    time: new Date(required(message, 'ce-time', /./)),
    traceparent: optional(message, 'traceparent'),
    message: fromBinary(schema, message.data),
  }
}

/** More than the headers of a message take. */
export const headerBytes = 4096

export function optional(message: JsMsg, name: string): string | undefined {
  return message.headers?.get(name) || undefined
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function required(message: JsMsg, name: string, pattern: RegExp): string {
  const value = optional(message, name)
  if (value === undefined || !pattern.test(value)) throw new Error(`The header ${name} is missing or malformed.`)
  return value
}
