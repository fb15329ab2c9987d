import type { JsMsg } from '@nats-io/jetstream'
import { errorType, parseTraceparent, recordedParent, type Span } from '../telemetry/index.ts'
import {
  applyEvent,
  applyTogether,
  causeOf,
  DatabaseUnavailable,
  type HandlersByType,
  handlersByType,
  MalformedEvent,
  type SharedWork,
  typeOf,
} from './apply-event.ts'
import type { ConsumerOptions } from './consumer-options.ts'
import { keepDeadLetter } from './dead-letters.ts'
import { optional } from './envelope.ts'
import { createFailureCounts } from './failure-counts.ts'
import { type Outcome, type Processed, traceProcessing } from './trace-events.ts'

/**
 * Thrown by a handler or its `prepare` when something else than the event is to blame, such as another system that is
 * away. It is no attempt of the event: that comes again, later and later, for more than a day.
 */
export class PostponeEvent extends Error {
  override readonly name = 'PostponeEvent'
}

/**
 * Applies messages, in their order, and tells the server how it went. Never rejects: what went wrong is said by the
 * outcome, the log and the dead letter.
 *
 * Those of a handler that takes many at once share a transaction. When that fails each gets one of its own, at once or,
 * where the database is to blame, the next time; so only the event that is to blame fails again.
 */
export function createMessageProcessor(
  options: ConsumerOptions,
  report: (outcome: Outcome) => void,
): (messages: readonly JsMsg[]) => Promise<void> {
  const { name, log, maxAttempts = 8, retryDelayMs = 1000 } = options
  const handlers = handlersByType(options.handlers)
  const failures = createFailureCounts()

  async function processAlone(message: JsMsg): Promise<void> {
    await traceProcessing(name, message, async (span) => {
      const processed = await process(message, span)
      report(processed.outcome)
      return processed
    })
  }

  /** @returns false when nothing has come of it, and each message is to be tried alone */
  async function processTogether(work: SharedWork): Promise<boolean> {
    try {
      const applied = await applyTogether(options, handlers, work)
      for (const message of work.messages) {
        const { outcome } = succeed(message, applied.has(message) ? 'applied' : 'duplicate')
        report(outcome)
      }
      return true
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) return false
      for (const message of work.messages) {
        const { outcome } = await fail(message, error)
        report(outcome)
      }
      return true
    }
  }

  async function process(message: JsMsg, span: Span | undefined): Promise<Processed> {
    try {
      return succeed(message, await applyEvent(options, handlers, message, span))
    } catch (error) {
      return await fail(message, error)
    }
  }

  function succeed(message: JsMsg, outcome: Outcome): Processed {
    message.ack()
    failures.forget(message)
    return { outcome }
  }

  async function fail(message: JsMsg, error: unknown): Promise<Processed> {
    const failure = errorType(causeOf(error))
    if (isHopeless(error, message) && (await giveUp(options, message, error))) {
      message.term()
      failures.forget(message)
      return { outcome: 'dead_letter', failure }
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

  function isHopeless(error: unknown, message: JsMsg): boolean {
    if (error instanceof DatabaseUnavailable) return false
    if (error instanceof MalformedEvent || message.info.deliveryCount >= maxDeliveries) return true
    return !(error instanceof PostponeEvent) && failures.add(message) >= maxAttempts
  }

  return async (messages) => {
    for (const { handleAll, messages: some } of divide(messages, options, handlers)) {
      if (handleAll && (await processTogether({ handleAll, messages: some }))) continue
      for (const message of some) await processAlone(message)
    }
  }
}

const maxDelayMs = 30_000
const maxPostponeMs = 600_000
/** Given up after so many whatever the reason, unless it is the own database. At 10 minutes each, 32 hours. */
const maxDeliveries = 200

/** Of all events of a transaction; a single one may have four times as much. `createPartitions` bounds their number. */
const maxSharedBytes = 256 * 1024

/**
 * Puts neighbours together that one handler takes at once. The others stay alone; so does an event whose trace is
 * recorded, which is to show the work that was done for it, and one that comes again: what held its transaction up, such
 * as a locked row, may be the trouble of one of them and would hold up all of them each time.
 */
function divide(messages: readonly JsMsg[], { deliver }: ConsumerOptions, handlers: HandlersByType): Work[] {
  const parts: Work[] = []
  let bytes = 0
  for (const message of messages) {
    const isAgain = message.info.deliveryCount > 1
    const isRecorded = recordedParent(optional(message, 'traceparent')) !== undefined
    const isAlone = deliver !== 'newest' || isAgain || isRecorded
    const handleAll = isAlone ? undefined : handlers.get(typeOf(message))?.handleAll
    const before = parts.at(-1)
    bytes += message.data.length
    if (handleAll && before?.handleAll === handleAll && bytes <= maxSharedBytes) {
      before.messages.push(message)
    } else {
      parts.push({ handleAll, messages: [message] })
      bytes = message.data.length
    }
  }
  return parts
}

interface Work {
  /** Undefined: each message is for itself. */
  handleAll: SharedWork['handleAll'] | undefined
  messages: JsMsg[]
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
