import type { DescMessage } from '@bufbuild/protobuf'
import { isFault } from '../errors/index.ts'
import { cellOf } from '../flake/index.ts'
import type { Span } from '../telemetry/index.ts'
import { markConsumed, markNewest, wasConsumed } from './consumed.ts'
import type { ConsumerOptions, SharedConsumerParts } from './consumer-options.ts'
import type { Delivery } from './delivery.ts'
import { type EventEnvelope, type EventHandler, type EventMessage, optional, readEnvelope } from './envelope.ts'

/** The handlers of a consumer, by event type. */
export type HandlersByType = ReadonlyMap<string, TypeHandler>
type TypeHandler = EventHandler & { schema: DescMessage }

export function handlersByType(handlers: readonly EventHandler[]): HandlersByType {
  return new Map(
    handlers.flatMap((handler) => handler.schemas.map((schema) => [schema.typeName, { ...handler, schema }])),
  )
}

/** The message is not a valid event. A retry cannot succeed. */
export class MalformedEvent extends Error {}
/** The consumer's database is unavailable. Does not count as an attempt of the event. */
export class DatabaseUnavailable extends Error {}

/** Unwraps the errors of this file for logs and spans. */
export function causeOf(error: unknown): unknown {
  return error instanceof MalformedEvent || error instanceof DatabaseUnavailable ? error.cause : error
}

/**
 * Applies one event and records that it was applied, in one transaction.
 * @throws MalformedEvent, DatabaseUnavailable, or what the handler throws
 */
export async function applyEvent(
  { database, name, deliver, cell }: ConsumerOptions<SharedConsumerParts>,
  handlers: HandlersByType,
  message: EventMessage,
  span: Span | undefined,
): Promise<'applied' | 'duplicate' | 'ignored'> {
  const type = optional(message, 'ce-type')
  if (type === undefined) throw new MalformedEvent('', { cause: new Error('The header ce-type is missing.') })
  const handler = handlers.get(type)
  if (!handler) return 'ignored'
  const event = readEvent(message, handler.schema, cell)
  // Effects of the event become children of its processing span.
  if (span) event.traceparent = span.traceparent
  const inDatabase = <T>(work: Promise<T>) => work.catch(rethrowOutage)
  if (handler.prepare && (await inDatabase(wasConsumed(database, name, event, deliver)))) return 'duplicate'
  const prepared = await handler.prepare?.(event)
  return inDatabase(
    database.transaction(async (tx) => {
      if (!(await markConsumed(tx, name, event, deliver))) return 'duplicate'
      await handler.handle(tx, event, prepared)
      return 'applied'
    }),
  )
}

/**
 * Applies several events with one handler and records them, in one transaction.
 * @returns the applied messages; for the others, the event or a newer one of its aggregate was applied before
 */
export async function applyBatch(
  { database, name, cell }: ConsumerOptions<SharedConsumerParts>,
  handlers: HandlersByType,
  { handleAll, messages }: EventBatch,
): Promise<ReadonlySet<Delivery>> {
  const messageOf = new Map(
    messages.map((message) => [readEvent(message, handlers.get(typeOf(message))?.schema, cell), message]),
  )
  const prepared = new Map(
    await Promise.all(
      [...messageOf.keys()].map(async (event) => [event, await handlers.get(event.type)?.prepare?.(event)] as const),
    ),
  )
  const applied = await database
    .transaction(async (tx) => {
      const fresh = await markNewest(tx, name, [...messageOf.keys()])
      if (fresh.length === 0) return fresh
      await handleAll(
        tx,
        fresh,
        fresh.map((event) => prepared.get(event)),
      )
      return fresh
    })
    .catch(rethrowOutage)
  return new Set(applied.flatMap((event) => messageOf.get(event) ?? []))
}

/** Messages for one handler that accepts batches. */
export interface EventBatch {
  handleAll: NonNullable<EventHandler['handleAll']>
  messages: Delivery[]
}

/** The event type of a message; empty if it has none. */
export function typeOf(message: EventMessage): string {
  return optional(message, 'ce-type') ?? ''
}

/**
 * Reads the event of a message.
 * @param schema the message of its type; undefined if the consumer does not know the type
 * @param cell the cell that the event must belong to; undefined: any
 * @throws MalformedEvent
 */
export function readEvent(
  message: EventMessage,
  schema: DescMessage | undefined,
  cell: number | undefined,
): EventEnvelope {
  try {
    if (!schema) throw new Error('The event type is unknown.')
    const event = readEnvelope(message, schema)
    const actual = event.storeId === undefined ? cell : cellOf(event.storeId)
    if (cell === undefined || actual === cell) return event
    throw new Error(
      `The event is of cell ${actual}, this process of cell ${cell}. Each cell needs a separate NATS or EVENTS_STREAM.`,
    )
  } catch (error) {
    throw new MalformedEvent('', { cause: error })
  }
}

function rethrowOutage(error: unknown): never {
  if (isFault(error, 'service-unavailable')) {
    throw new DatabaseUnavailable('', { cause: error })
  }
  throw error
}
