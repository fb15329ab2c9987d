import { errorType, parseTraceparent, recordedParent, type Span } from '../telemetry/index.ts'
import {
  applyBatch,
  applyEvent,
  causeOf,
  DatabaseUnavailable,
  type EventBatch,
  type HandlersByType,
  handlersByType,
  MalformedEvent,
  typeOf,
} from './apply-event.ts'
import type { ConsumerOptions } from './consumer-options.ts'
import { storeDeadLetter } from './dead-letters.ts'
import type { Delivery } from './delivery.ts'
import { type EventMessage, optional } from './envelope.ts'
import { createFailureCounts } from './failure-counts.ts'
import { type Outcome, type Processed, traceProcessing } from './trace-events.ts'

/**
 * Thrown by a handler or its `prepare` if another system is unavailable. Does not count as an attempt: the event is retried
 * with increasing delay for more than a day.
 */
export class PostponeEvent extends Error {
  override readonly name = 'PostponeEvent'
}

/** Applies the messages of a consumer. */
export interface MessageProcessor {
  /** Applies messages in order and acknowledges them. Never rejects: failures are reported by outcome, log and dead letter. */
  all(messages: readonly Delivery[]): Promise<void>
  /** Applies a dead letter. @throws what made it fail */
  replay(message: EventMessage): Promise<void>
}

/**
 * Messages of a batch handler share a transaction. If it fails, each message gets a separate one: at once, or on redelivery
 * if the database is unavailable. So only the faulty event fails again.
 */
export function createMessageProcessor(options: ConsumerOptions, report: (outcome: Outcome) => void): MessageProcessor {
  const { name, log, maxAttempts = 8, retryDelayMs = 1000 } = options
  const handlers = handlersByType(options.handlers)
  const failures = createFailureCounts()

  async function processSingle(message: Delivery): Promise<void> {
    await traceProcessing(name, message, async (span) => {
      const processed = await process(message, span)
      report(processed.outcome)
      return processed
    })
  }

  /** @returns false if the transaction failed and each message must be processed separately */
  async function processBatch(batch: EventBatch): Promise<boolean> {
    try {
      const applied = await applyBatch(options, handlers, batch)
      for (const message of batch.messages) {
        const { outcome } = succeed(message, applied.has(message) ? 'applied' : 'duplicate')
        report(outcome)
      }
      return true
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) return false
      for (const message of batch.messages) {
        const { outcome } = await fail(message, error)
        report(outcome)
      }
      return true
    }
  }

  async function process(message: Delivery, span: Span | undefined): Promise<Processed> {
    try {
      return succeed(message, await applyEvent(options, handlers, message, span))
    } catch (error) {
      return await fail(message, error)
    }
  }

  function succeed(message: Delivery, outcome: Outcome): Processed {
    message.ack()
    failures.forget(message)
    return { outcome }
  }

  async function fail(message: Delivery, error: unknown): Promise<Processed> {
    const failure = errorType(causeOf(error))
    if (isFinal(error, message) && (await moveToDeadLetters(options, message, error))) {
      message.term()
      failures.forget(message)
      return { outcome: 'dead_letter', failure }
    }
    const attempt = message.info.deliveryCount
    const postponed = error instanceof PostponeEvent
    const longest = postponed ? maxPostponeMs : maxDelayMs
    const delayMs = Math.min(retryDelayMs * 2 ** Math.min(attempt - 1, 20), longest)
    const fields = { err: causeOf(error), consumer: name, attempt, ...idsOf(message) }
    log.warn({ ...fields, delay_ms: delayMs }, 'event failed: retrying')
    message.nak(delayMs)
    return { outcome: postponed ? 'postponed' : 'retried', failure }
  }

  function isFinal(error: unknown, message: Delivery): boolean {
    if (error instanceof DatabaseUnavailable) return false
    if (error instanceof MalformedEvent || message.info.deliveryCount >= maxDeliveries) return true
    return !(error instanceof PostponeEvent) && failures.add(message) >= maxAttempts
  }

  return {
    async all(messages) {
      for (const { handleAll, messages: group } of groupIntoBatches(messages, options, handlers)) {
        if (handleAll && (await processBatch({ handleAll, messages: group }))) continue
        for (const message of group) await processSingle(message)
      }
    },
    async replay(message) {
      try {
        report(await applyEvent(options, handlers, message, undefined))
      } catch (error) {
        throw causeOf(error)
      }
    },
  }
}

const maxDelayMs = 30_000
const maxPostponeMs = 600_000
/** Limit for any reason except an unavailable database. At 10 minutes each, 32 hours. */
const maxDeliveries = 200

/** Maximum size of a batch; a single event may be four times as large. `createPartitions` limits the number of events. */
const maxBatchBytes = 256 * 1024

/**
 * Groups adjacent messages of the same batch handler; messages without a handler do not count. An event with a recorded trace is
 * processed separately, so that its spans show only its own work. So is a redelivered event: if one event of a batch fails, because
 * of a locked row for instance, it must not make the others fail again.
 */
function groupIntoBatches(
  messages: readonly Delivery[],
  { deliver }: ConsumerOptions,
  handlers: HandlersByType,
): Work[] {
  const parts: Work[] = []
  let before: Work | undefined
  let bytes = 0
  for (const message of messages) {
    const handler = handlers.get(typeOf(message))
    // It has no effect, so its place does not matter.
    if (!handler) {
      parts.push({ handleAll: undefined, messages: [message] })
      continue
    }
    const isRedelivered = message.info.deliveryCount > 1
    const isRecorded = recordedParent(optional(message, 'traceparent')) !== undefined
    const isSeparate = deliver !== 'newest' || isRedelivered || isRecorded
    const handleAll = isSeparate ? undefined : handler.handleAll
    bytes += message.data.length
    if (handleAll && before?.handleAll === handleAll && bytes <= maxBatchBytes) {
      before.messages.push(message)
    } else {
      before = { handleAll, messages: [message] }
      parts.push(before)
      bytes = message.data.length
    }
  }
  return parts
}

interface Work {
  /** Undefined: process each message separately. */
  handleAll: EventBatch['handleAll'] | undefined
  messages: Delivery[]
}

/** Event and trace id, for the log. */
function idsOf(message: Delivery): { event_id: string | undefined; trace_id: string | undefined } {
  const trace = parseTraceparent(optional(message, 'traceparent'))
  return { event_id: optional(message, 'ce-id'), trace_id: trace?.traceId }
}

/** @returns false if the dead letter could not be stored, so that the message must stay in the stream */
async function moveToDeadLetters(
  { database, name, log }: ConsumerOptions,
  message: Delivery,
  error: unknown,
): Promise<boolean> {
  const fields = { err: causeOf(error), consumer: name, subject: message.subject, ...idsOf(message) }
  try {
    await storeDeadLetter(database, name, message, causeOf(error))
    log.error({ ...fields, attempt: message.info.deliveryCount }, 'event moved to dead letters')
    return true
  } catch (failure) {
    log.error({ ...fields, err: failure }, 'dead letter could not be stored')
    return false
  }
}
