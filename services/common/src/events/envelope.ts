import type { DescMessage, MessageShape } from '@bufbuild/protobuf'
import { headers, type MsgHdrs } from '@nats-io/transport-node'
import { decode } from '@storekeep/proto/codec'
import type { Transaction } from '../postgres/index.ts'
import { parseTraceparent } from '../telemetry/index.ts'
import type { OutboxRow } from './outbox.ts'

/** An event as consumers receive it. */
export interface EventEnvelope<S extends DescMessage = DescMessage> {
  /** UUID; the same for every delivery of the event. */
  id: string
  subject: string
  /** Full name of the message type. */
  type: string
  aggregate: string
  aggregateId: string
  aggregateVersion: string
  storeId: string | undefined
  /** Time of the change. */
  time: Date
  traceparent: string | undefined
  message: MessageShape<S>
}

/**
 * Thrown by a handler or its `prepare` if another system is unavailable. Does not count as an attempt: the event is retried
 * with increasing delay for more than a day.
 */
export class PostponeEvent extends Error {
  override readonly name = 'PostponeEvent'
}

/** Handles some event types; see `onEvent` and `onEvents`. */
export interface EventHandler {
  schemas: readonly DescMessage[]
  prepare?: (event: EventEnvelope) => Promise<unknown>
  handle: (tx: Transaction, event: EventEnvelope, prepared: unknown) => Promise<void>
  /** Like `handle`, for several events of different aggregates. `prepared` is in the order of the events. */
  handleAll?: (tx: Transaction, events: readonly EventEnvelope[], prepared: readonly unknown[]) => Promise<void>
}

/**
 * Creates a handler of one event type, or of several with the same effect.
 *
 * @param handle applies the event through `tx` only, in the transaction that also records it as applied. It runs again
 * after a failure. With `deliver: 'every'`, compare `aggregateVersion` with the stored version before overwriting data, and
 * keep a row with the version of deleted aggregates
 * @param prepare optional work outside the database, such as a call to another system, before the transaction begins. Its
 * result is passed to `handle`. It may run more than once per event. Throw a `PostponeEvent` while the other system is
 * unavailable
 */
export function onEvent<S extends DescMessage, P = undefined>(
  schemas: S | readonly S[],
  handle: (tx: Transaction, event: EventEnvelope<S>, prepared: P) => Promise<void>,
  prepare?: (event: EventEnvelope<S>) => Promise<P>,
): EventHandler {
  return { schemas: [schemas].flat(), handle, ...(prepare && { prepare }) } as EventHandler
}

/**
 * Creates a batch handler, for frequent events: one transaction for many events costs much less than one each. Only for
 * consumers with `deliver: 'newest'`.
 *
 * @param handleAll like `handle` of `onEvent`, for the newest events of one or more aggregates
 * @param prepare as in `onEvent`. The events of a batch are prepared concurrently
 */
export function onEvents<S extends DescMessage, P = undefined>(
  schemas: readonly S[],
  handleAll: (tx: Transaction, events: readonly EventEnvelope<S>[], prepared: readonly P[]) => Promise<void>,
  prepare?: (event: EventEnvelope<S>) => Promise<P>,
): EventHandler {
  return {
    schemas,
    handleAll,
    handle: (tx: Transaction, event: EventEnvelope<S>, prepared: P) => handleAll(tx, [event], [prepared]),
    ...(prepare && { prepare }),
  } as EventHandler
}

/** The headers of an event: its CloudEvents attributes, in binary content mode, and the id by which JetStream drops duplicates. */
export function envelopeHeaders(row: OutboxRow, traceparent: string | null): MsgHdrs {
  const attributes = {
    'Nats-Msg-Id': row.event_id,
    'ce-specversion': '1.0',
    'ce-id': row.event_id,
    'ce-source': `/storekeep/${row.service}`,
    'ce-type': row.type,
    'ce-subject': row.aggregate_id,
    'ce-time': row.created_at.toISOString(),
    'ce-datacontenttype': 'application/protobuf',
    'ce-aggregate': row.aggregate,
    'ce-aggregateversion': row.aggregate_version,
    ...(row.store_id !== null && { 'ce-storeid': row.store_id }),
    ...(traceparent !== null && { traceparent }),
  }
  const given = headers()
  for (const [name, value] of Object.entries(attributes)) given.append(name, value)
  return given
}

/** The part of a message of the stream that makes an event. */
export interface EventMessage {
  subject: string
  headers: MsgHdrs | undefined
  data: Uint8Array
}

/**
 * Decodes a message of the stream. @throws Error if it is malformed, or its subject is not one of its type
 */
export function readEnvelope<S extends DescMessage>(message: EventMessage, schema: S): EventEnvelope<S> {
  const event = {
    id: required(message, 'ce-id', uuid),
    subject: message.subject,
    type: required(message, 'ce-type', /./),
    aggregate: required(message, 'ce-aggregate', /./),
    aggregateId: required(message, 'ce-subject', /./),
    aggregateVersion: required(message, 'ce-aggregateversion', /^[0-9]{1,18}$/),
    storeId: optional(message, 'ce-storeid'),
    time: new Date(required(message, 'ce-time', /./)),
    traceparent: optional(message, 'traceparent'),
    message: decode(schema, message.data),
  }
  if (!isOfSubject(event)) throw new Error('The subject is not one of this type of event.')
  return event
}

/**
 * NATS lets each service publish only its own subjects (deploy/rights.ts), but with any headers. So only an event of the type
 * `storekeep.<service>.v1.<Aggregate>…`, and of the aggregate, that its subject names is from the owner of that aggregate.
 */
function isOfSubject({ subject, type, aggregate }: Pick<EventEnvelope, 'subject' | 'type' | 'aggregate'>): boolean {
  const [, service = '', named = ''] = subject.split('.')
  const pascalCase = named.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return aggregate === named && type.startsWith(`storekeep.${service.replaceAll('-', '_')}.v1.${pascalCase.join('')}`)
}

/** Upper bound of the size of a message's headers, in bytes. */
export const headerBytes = 4096

/** A header of the message; undefined if it is absent or empty. */
export function optional(message: EventMessage, name: string): string | undefined {
  return message.headers?.get(name) || undefined
}

/** Event and trace id, for the log. */
export function eventIds(message: EventMessage): { event_id: string | undefined; trace_id: string | undefined } {
  const trace = parseTraceparent(optional(message, 'traceparent'))
  return { event_id: optional(message, 'ce-id'), trace_id: trace?.traceId }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function required(message: EventMessage, name: string, pattern: RegExp): string {
  const value = optional(message, name)
  if (value === undefined || !pattern.test(value)) throw new Error(`The header ${name} is missing or malformed.`)
  return value
}
