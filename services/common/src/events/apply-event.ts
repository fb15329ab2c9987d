import type { DescMessage } from '@bufbuild/protobuf'
import type { JsMsg } from '@nats-io/jetstream'
import { ServiceFault } from '../errors/index.ts'
import type { Span } from '../telemetry/index.ts'
import { markConsumed, markNewest, wasConsumed } from './consumed.ts'
import type { ConsumerOptions } from './consumer-options.ts'
import { type EventEnvelope, type EventHandler, optional, readEnvelope } from './envelope.ts'

/** The handlers of a consumer by type of event. */
export type HandlersByType = ReadonlyMap<string, TypeHandler>
type TypeHandler = EventHandler & { schema: DescMessage }

export function handlersByType(handlers: readonly EventHandler[]): HandlersByType {
  return new Map(
    handlers.flatMap((handler) => handler.schemas.map((schema) => [schema.typeName, { ...handler, schema }])),
  )
}

/** The message is not one of ours or cannot be decoded: it will not get better. */
export class MalformedEvent extends Error {}
/** Not the event's fault. */
export class DatabaseUnavailable extends Error {}

/** What is to be told of an error of this file. */
export function causeOf(error: unknown): unknown {
  return error instanceof MalformedEvent || error instanceof DatabaseUnavailable ? error.cause : error
}

/** Effect and note of one event, in a transaction. */
export async function applyEvent(
  { database, relay, name, deliver }: ConsumerOptions,
  handlers: HandlersByType,
  message: JsMsg,
  span: Span | undefined,
): Promise<'applied' | 'duplicate' | 'ignored'> {
  const type = optional(message, 'ce-type')
  if (type === undefined) throw new MalformedEvent('', { cause: new Error('The header ce-type is missing.') })
  const handler = handlers.get(type)
  if (!handler) return 'ignored'
  const event = read(message, handler)
  // What the event leads to is below its processing.
  if (span) event.traceparent = span.traceparent
  const own = <T>(work: Promise<T>) => work.catch(blameDatabase)
  if (handler.prepare && (await own(wasConsumed(database, name, event, deliver)))) return 'duplicate'
  const prepared = await handler.prepare?.(event)
  return own(
    database.transaction(async (tx) => {
      if (!(await markConsumed(tx, name, event, deliver))) return 'duplicate'
      if (relay) tx.afterCommit(relay.wake)
      await handler.handle(tx, event, prepared)
      return 'applied'
    }),
  )
}

/**
 * Effects and notes of many events whose handler takes them together, in one transaction.
 * @returns the messages that were applied; the others were before, or a newer event of their aggregate was
 */
export async function applyTogether(
  { database, relay, name }: ConsumerOptions,
  handlers: HandlersByType,
  { handleAll, messages }: SharedWork,
): Promise<ReadonlySet<JsMsg>> {
  const messageOf = new Map(messages.map((message) => [read(message, handlers.get(typeOf(message))), message]))
  const applied = await database
    .transaction(async (tx) => {
      const fresh = await markNewest(tx, name, [...messageOf.keys()])
      if (fresh.length === 0) return fresh
      if (relay) tx.afterCommit(relay.wake)
      await handleAll(tx, fresh)
      return fresh
    })
    .catch(blameDatabase)
  return new Set(applied.flatMap((event) => messageOf.get(event) ?? []))
}

/** Messages of one handler that takes many at once. */
export interface SharedWork {
  handleAll: NonNullable<EventHandler['handleAll']>
  messages: JsMsg[]
}

/** Empty for a message that says none. */
export function typeOf(message: JsMsg): string {
  return optional(message, 'ce-type') ?? ''
}

function read(message: JsMsg, handler: TypeHandler | undefined): EventEnvelope {
  try {
    if (!handler) throw new Error('The event has no handler.')
    return readEnvelope(message, handler.schema)
  } catch (error) {
    throw new MalformedEvent('', { cause: error })
  }
}

function blameDatabase(error: unknown): never {
  if (error instanceof ServiceFault && error.code === 'service-unavailable') {
    throw new DatabaseUnavailable('', { cause: error })
  }
  throw error
}
