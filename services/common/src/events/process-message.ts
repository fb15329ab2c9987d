import type { DescMessage } from '@bufbuild/protobuf'
import type { JsMsg } from '@nats-io/jetstream'
import { ServiceFault } from '../errors/index.ts'
import { errorType, parseTraceparent, type Span } from '../telemetry/index.ts'
import { markConsumed, wasConsumed } from './consumed.ts'
import type { ConsumerOptions } from './consumer.ts'
import { keepDeadLetter } from './dead-letters.ts'
import { type EventEnvelope, type EventHandler, optional, readEnvelope } from './envelope.ts'
import { createFailureCounts } from './failure-counts.ts'
import { type Processed, traceProcessing } from './trace-events.ts'

/** What became of a delivery. */
export type Outcome = 'applied' | 'repeated' | 'ignored' | 'retried' | 'postponed' | 'dead'

/**
 * Thrown by a handler or its `prepare` when something else than the event is to blame, such as another system that is
 * away. It is no attempt of the event: that comes again, later and later, for more than a day.
 */
export class PostponeEvent extends Error {
  override readonly name = 'PostponeEvent'
}

/**
 * Applies one message and tells the server how it went. Never rejects: what went wrong is said by the outcome, the
 * log and the dead letter.
 */
export function createMessageProcessor(
  options: ConsumerOptions,
  report: (outcome: Outcome) => void,
): (message: JsMsg) => Promise<void> {
  const { name, log, maxAttempts = 8, retryDelayMs = 1000 } = options
  const handlers = new Map(options.handlers.flatMap(byType))
  const failures = createFailureCounts()

  function isHopeless(error: unknown, message: JsMsg): boolean {
    if (error instanceof OwnDatabaseAway) return false
    if (error instanceof UnreadableEvent || message.info.deliveryCount >= maxDeliveries) return true
    return !(error instanceof PostponeEvent) && failures.add(message) >= maxAttempts
  }

  async function process(message: JsMsg, span: Span | undefined): Promise<Processed> {
    try {
      const outcome = await apply(options, handlers, message, span)
      message.ack()
      failures.forget(message)
      return { outcome }
    } catch (error) {
      const failure = errorType(causeOf(error))
      if (isHopeless(error, message) && (await giveUp(options, message, error))) {
        message.term()
        failures.forget(message)
        return { outcome: 'dead', failure }
      }
      const attempt = message.info.deliveryCount
      const postponed = error instanceof PostponeEvent
      const longest = postponed ? maxPostponeMs : maxDelayMs
      const delayMs = Math.min(retryDelayMs * 2 ** Math.min(attempt - 1, 20), longest)
      const fields = { err: causeOf(error), consumer: name, attempt, ...idsOf(message) }
      log.warn({ ...fields, delay_ms: delayMs }, 'an event could not be applied; trying again')
      message.nak(delayMs)
      return { outcome: postponed ? 'postponed' : 'retried', failure }
    }
  }

  return (message) =>
    traceProcessing(name, message, async (span) => {
      const processed = await process(message, span)
      report(processed.outcome)
      return processed
    })
}

const maxDelayMs = 30_000
const maxPostponeMs = 600_000
/** Given up after so many whatever the reason, unless it is the own database. At 10 minutes each, 32 hours. */
const maxDeliveries = 200

function byType(handler: EventHandler): [string, TypeHandler][] {
  return handler.schemas.map((schema) => [schema.typeName, { ...handler, schema }])
}

type TypeHandler = EventHandler & { schema: DescMessage }

/** The message is not one of ours or cannot be decoded: it will not get better. */
class UnreadableEvent extends Error {}
/** Not the event's fault. */
class OwnDatabaseAway extends Error {}

async function apply(
  { database, relay, name, deliver }: ConsumerOptions,
  handlers: ReadonlyMap<string, TypeHandler>,
  message: JsMsg,
  span: Span | undefined,
): Promise<Outcome> {
  const type = optional(message, 'ce-type')
  if (type === undefined) throw new UnreadableEvent('', { cause: new Error('The header ce-type is missing.') })
  const handler = handlers.get(type)
  if (!handler) return 'ignored'
  const event = read(message, handler)
  // What the event leads to is below its processing.
  if (span) event.traceparent = span.traceparent
  const own = <T>(work: Promise<T>) => work.catch(blameDatabase)
  if (handler.prepare && (await own(wasConsumed(database, name, event, deliver)))) return 'repeated'
  const prepared = await handler.prepare?.(event)
  return own(
    database.transaction(async (tx) => {
      if (!(await markConsumed(tx, name, event, deliver))) return 'repeated'
      if (relay) tx.afterCommit(relay.wake)
      await handler.handle(tx, event, prepared)
      return 'applied'
    }),
  )
}

function read(message: JsMsg, { schema }: TypeHandler): EventEnvelope {
  try {
    return readEnvelope(message, schema)
  } catch (error) {
    throw new UnreadableEvent('', { cause: error })
  }
}

function blameDatabase(error: unknown): never {
  if (error instanceof ServiceFault && error.code === 'service-unavailable') {
    throw new OwnDatabaseAway('', { cause: error })
  }
  throw error
}

function causeOf(error: unknown): unknown {
  return error instanceof UnreadableEvent || error instanceof OwnDatabaseAway ? error.cause : error
}

/** For the log. */
function idsOf(message: JsMsg): { event_id: string | undefined; trace_id: string | undefined } {
  const trace = parseTraceparent(optional(message, 'traceparent'))
  return { event_id: optional(message, 'ce-id'), trace_id: trace?.traceId }
}

/** @returns false when the dead letter cannot be kept, so that the message must stay where it is */
async function giveUp({ database, name, log }: ConsumerOptions, message: JsMsg, error: unknown): Promise<boolean> {
  const fields = { err: causeOf(error), consumer: name, subject: message.subject, ...idsOf(message) }
  try {
    await keepDeadLetter(database, name, message, causeOf(error))
    log.error({ ...fields, attempt: message.info.deliveryCount }, 'an event was given up; see dead_letter')
    return true
  } catch (failure) {
    log.error({ ...fields, err: failure }, 'a dead letter could not be kept')
    return false
  }
}
