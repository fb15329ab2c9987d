import { AckPolicy, DeliverPolicy, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { apiCodes, ensureStream, isApiError, streamPrefix } from '../nats/index.ts'
import { errorType, recordedParent, type Span } from '../telemetry/index.ts'
import {
  applyBatch,
  applyEvent,
  causeOf,
  DatabaseUnavailable,
  type EventBatch,
  handlersByType,
  MalformedEvent,
  typeOf,
} from './apply-event.ts'
import { type ConsumerMode, claimSeconds } from './consumer-mode.ts'
import type { ConsumerOptions, SharedConsumerParts } from './consumer-options.ts'
import { moveToDeadLetters } from './dead-letters.ts'
import type { Delivery } from './delivery.ts'
import { eventIds, optional, PostponeEvent } from './envelope.ts'
import { createFailureCounts } from './failure-counts.ts'
import { pull } from './pull.ts'
import { type Outcome, type Processed, traceProcessing } from './trace-events.ts'

/**
 * Replicas share a durable consumer on the server, which delivers each message to one of them. A message is acknowledged after its
 * transaction.
 *
 * - Events of a batch handler (`onEvents`) share a transaction. If it fails, each event gets a separate one: immediately, or on
 *   redelivery if the database is unavailable. So only the faulty event fails again.
 * - A failed event is retried with increasing delay, while others continue. After `maxAttempts` it is moved to `dead_letter`
 *   with its cause; a malformed event is moved there immediately. Failures of the database do not count as attempts.
 * - A `PostponeEvent` does not count as an attempt either: the event is retried every 10 minutes for more than a day.
 */
export function createSharedMode(
  options: ConsumerOptions<SharedConsumerParts>,
  report: (outcome: Outcome) => void,
): ConsumerMode {
  const { database, stream, name, log, deliver, maxAttempts = 8, retryDelayMs = 1000 } = options
  const handlers = handlersByType(options.handlers)
  const failures = createFailureCounts()
  const usesBatches = deliver === 'newest' && options.handlers.some(({ handleAll }) => handleAll)
  const { gatherMs, ...queue } = usesBatches ? batched : single
  let knownBefore = false
  let isDatabaseSuspect = true

  async function apply(messages: readonly Delivery[]): Promise<void> {
    for (const { handleAll, messages: group } of groupIntoBatches(messages)) {
      if (handleAll && (await applyTogether({ handleAll, messages: group }))) continue
      for (const message of group) {
        await traceProcessing(name, [message], async (spans) => {
          const processed = await applySingle(message, spans.get(message))
          report(processed.outcome)
          return processed
        })
      }
    }
  }

  /** @returns false if the transaction failed and each message must be applied separately */
  async function applyTogether(batch: EventBatch): Promise<boolean> {
    try {
      const applied = await applyBatch(options, handlers, batch)
      for (const message of batch.messages) {
        report(succeed(message, applied.has(message) ? 'applied' : 'duplicate').outcome)
      }
      return true
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) return false
      for (const message of batch.messages) report((await fail(message, error)).outcome)
      return true
    }
  }

  async function applySingle(message: Delivery, span: Span | undefined): Promise<Processed> {
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
    isDatabaseSuspect ||= error instanceof DatabaseUnavailable
    if (isFinal(error, message) && (await moveToDeadLetters(options, message, causeOf(error)))) {
      message.term()
      failures.forget(message)
      return { outcome: 'dead_letter', failure }
    }
    const attempt = message.info.deliveryCount
    const postponed = error instanceof PostponeEvent
    const longest = postponed ? maxPostponeMs : maxDelayMs
    const delayMs = Math.min(retryDelayMs * 2 ** Math.min(attempt - 1, 20), longest)
    const fields = { err: causeOf(error), consumer: name, attempt, ...eventIds(message) }
    log.warn({ ...fields, delay_ms: delayMs }, 'event failed: retrying')
    message.nak(delayMs)
    return { outcome: postponed ? 'postponed' : 'retried', failure }
  }

  function isFinal(error: unknown, message: Delivery): boolean {
    if (error instanceof DatabaseUnavailable) return false
    if (error instanceof MalformedEvent || message.info.deliveryCount >= maxDeliveries) return true
    return !(error instanceof PostponeEvent) && failures.add(message) >= maxAttempts
  }

  /**
   * Groups adjacent messages of the same batch handler; messages without a handler do not count. An event with a recorded trace
   * is applied separately, so that its spans show only its own work. So is a redelivered event: if one event of a batch fails,
   * because of a locked row for instance, it must not make the others fail again.
   */
  function groupIntoBatches(messages: readonly Delivery[]): Group[] {
    const groups: Group[] = []
    let before: Group | undefined
    let bytes = 0
    for (const message of messages) {
      const handler = handlers.get(typeOf(message))
      // It has no effect, so its place does not matter.
      if (!handler) {
        groups.push({ handleAll: undefined, messages: [message] })
        continue
      }
      const isRedelivered = message.info.deliveryCount > 1
      const isRecorded = recordedParent(optional(message, 'traceparent')) !== undefined
      const handleAll = deliver !== 'newest' || isRedelivered || isRecorded ? undefined : handler.handleAll
      bytes += message.data.length
      if (handleAll && before?.handleAll === handleAll && bytes <= maxBatchBytes) {
        before.messages.push(message)
      } else {
        before = { handleAll, messages: [message] }
        groups.push(before)
        bytes = message.data.length
      }
    }
    return groups
  }

  return {
    queue,
    async open(connection, { signal }) {
      const manager = await jetstreamManager(connection, { checkAPI: false })
      await ensureStream(manager, stream, { knownBefore })
      knownBefore = true
      await ensureDurable(manager, options)
      return {
        async fetch(count) {
          // Events that are delivered in vain wait longer than those in the stream.
          if (isDatabaseSuspect) await database.ping()
          isDatabaseSuspect = false
          return await pull(connection, options, count, signal)
        },
        apply,
        async renew(inFlight) {
          for (const message of inFlight) message.working()
        },
        pauseMs: (received) => (received === 0 ? emptyPauseMs : gatherMs),
      }
    },
    async lag(connection) {
      const manager = await jetstreamManager(connection, { checkAPI: false })
      const { num_pending, num_ack_pending } = await manager.consumers.info(stream, name)
      return num_pending + num_ack_pending
    },
    replay: (message) => applyEvent(options, handlers, message, undefined),
  }
}

/** Creates the consumer on the server unless it exists. */
async function ensureDurable(
  manager: JetStreamManager,
  { stream, name, filterSubject }: Pick<ConsumerOptions, 'stream' | 'name' | 'filterSubject'>,
): Promise<void> {
  try {
    await manager.consumers.info(stream, name)
  } catch (error) {
    if (!isApiError(error, apiCodes.consumerNotFound)) throw error
    await manager.consumers.add(stream, {
      durable_name: name,
      filter_subject: `${streamPrefix(stream)}.${filterSubject}`,
      // After a loss of the consumer, all events are delivered again; applied ones are recognized and ignored.
      deliver_policy: DeliverPolicy.All,
      ack_policy: AckPolicy.Explicit,
      // Handlers may take longer: the consumer extends the time of messages in flight.
      ack_wait: nanos(claimSeconds * 1000),
      // The server would give up silently; instead, we store a dead letter.
      max_deliver: -1,
      // Includes events waiting for a retry. High, so that postponed events do not block others.
      max_ack_pending: 20_000,
    })
  }
}

interface Group {
  /** Undefined: apply each message separately. */
  handleAll: EventBatch['handleAll'] | undefined
  messages: Delivery[]
}

/** Concurrent transactions, for one event each. */
const single = { count: 8, maxBatch: 32, maxInFlight: 64, gatherMs: 0 }
/** Batches need fewer transactions, with more events each: the transaction is most of the cost. */
const batched = { count: 1, maxBatch: 256, maxInFlight: 512, gatherMs: 100 }
/** Maximum size of a batch; a single event may be four times as large. */
const maxBatchBytes = 256 * 1024
/** If requests of other replicas take all events, the server responds immediately. */
const emptyPauseMs = 50
const maxDelayMs = 30_000
const maxPostponeMs = 600_000
/** Limit for any reason except an unavailable database. At 10 minutes each, 32 hours. */
const maxDeliveries = 200
