import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isFault } from '../errors/index.ts'
import { causeOf, MalformedEvent, readEvent, typeOf } from './apply-event.ts'
import type { ConsumerMode } from './consumer-mode.ts'
import type { ConsumerOptions, EventHead, OrderedConsumerParts } from './consumer-options.ts'
import { moveToDeadLetters } from './dead-letters.ts'
import type { Delivery } from './delivery.ts'
import { type EventEnvelope, type EventMessage, optional } from './envelope.ts'
import { pull } from './pull.ts'
import { movePosition, readPosition, releasePosition, type StreamPosition, takePosition } from './stream-position.ts'
import { countAfter, openAt, stateOf } from './stream-reader.ts'
import { type Outcome, traceProcessing } from './trace-events.ts'

/**
 * One replica at a time applies the events, strictly in the order of the stream. Another one takes over when it stops, or 10 s after it
 * was killed (decision 0037).
 *
 * The position in the stream is stored in the transaction of the effect, which also checks that the process is still the
 * reader. So no event is skipped or applied out of order after a crash, and the stream needs no acknowledgements, which
 * makes events that are not chosen nearly free. After a loss of the stream, or of its tail, it is read from the start.
 *
 * While the database is unavailable, a batch is retried and later events wait. A batch that fails three times this way is
 * halved, because a batch that exceeds the statement timeout looks like an outage. An outage never makes a dead letter. A
 * malformed event and an event of another cell become dead letters, and so does an event that fails `maxAttempts` times for any
 * other reason; later events continue.
 */
export function createOrderedMode(
  options: ConsumerOptions<OrderedConsumerParts>,
  report: (outcome: Outcome, count: number) => void,
): ConsumerMode {
  const { cell, database, stream, name, log, maxAttempts = 3, retryDelayMs = 250 } = options
  const schemas = new Map(options.schemas.map((schema) => [schema.typeName, schema]))
  const reader = { consumer: name, holder: randomUUID() }
  let knownBefore = false
  let last: Reading | undefined

  /** Retries until the messages are applied, are dead letters, or the session is over. */
  async function apply(reading: Reading, messages: readonly Delivery[]): Promise<void> {
    const { signal } = reading.over
    for (let failures = 0, outages = 0; !signal.aborted; ) {
      try {
        return await applyBatch(reading, messages)
      } catch (error) {
        const isOutage = isFault(error, 'service-unavailable')
        if (isOutage) outages += 1
        else failures += 1
        const [message] = messages
        if (messages.length > 1 && (!isOutage || outages === outagesBeforeSplit)) {
          const size = isOutage ? Math.ceil(messages.length / 2) : 1
          for (let from = 0; from < messages.length; from += size) {
            await apply(reading, messages.slice(from, from + size))
          }
          return
        }
        const isFinal = !isOutage && (error instanceof MalformedEvent || failures >= maxAttempts)
        if (isFinal && message && (await moveToDeadLetters(options, message, causeOf(error)))) {
          reading.position = positionAt(reading, messages)
          return report('dead_letter', 1)
        }
        log.warn({ err: causeOf(error), consumer: name }, 'event failed: retrying, later events wait')
        await sleep(Math.min(retryDelayMs * 2 ** failures, maxDelayMs), undefined, { signal }).catch(() => {})
      }
    }
  }

  async function applyBatch(reading: Reading, messages: readonly Delivery[]): Promise<void> {
    const chosen = await choose(messages)
    const position = positionAt(reading, messages)
    reading.hasChosen = chosen.length > 0
    if (chosen.length > 0 && !(await commit(chosen, position))) return reading.over.abort()
    reading.position = position
    report('applied', chosen.length)
    report('ignored', messages.length - chosen.length)
  }

  /** @returns the messages to apply */
  async function choose<M extends EventMessage>(messages: readonly M[]): Promise<M[]> {
    const heads = new Map(messages.map((message) => [message, headOf(message)]))
    const known = [...heads.values()].filter(({ type }) => schemas.has(type))
    const isChosen = known.length === 0 ? () => false : await options.choose(known)
    return messages.filter((message) => {
      const head = heads.get(message)
      return head !== undefined && schemas.has(head.type) && isChosen(head)
    })
  }

  /** @returns false if another process is the reader */
  async function commit(messages: readonly Delivery[], position: StreamPosition): Promise<boolean> {
    const events = messages.map((message) => ({ message, event: toEvent(message) }))
    let isReader = false
    // The events share a transaction: each recorded event has a span for it, below which its effects continue.
    await traceProcessing(name, messages, async (spans) => {
      for (const { message, event } of events) event.traceparent = spans.get(message)?.traceparent ?? event.traceparent
      isReader = await database.transaction(async (tx) => {
        if (!(await movePosition(tx, reader, position))) return false
        await options.apply(
          tx,
          events.map(({ event }) => event),
        )
        return true
      })
      return { outcome: 'applied' }
    })
    return isReader
  }

  function toEvent(message: EventMessage): EventEnvelope {
    return readEvent(message, schemas.get(typeOf(message)), cell)
  }

  /** The server does not repeat a message that was lost on the way: two measurements without progress end the session. */
  function endIfStalled(reading: Reading, before: number, lastSequence: number): void {
    const isBehind = lastSequence > before && reading.received === before
    if (isBehind && reading.stalledAt === before) reading.over.abort()
    reading.stalledAt = isBehind ? before : undefined
  }

  return {
    queue: { count: 1, maxBatch: 256, maxInFlight: 1024 },
    async open(connection, over) {
      const stored = await takePosition(database, reader)
      if (!stored) return undefined
      const position = await openAt(connection, options, stored, { knownBefore })
      knownBefore = true
      const reading: Reading = { position, over, received: position.sequence, hasChosen: false }
      last = reading
      let delivered = 0
      return {
        async fetch(count) {
          const messages = await pull(connection, options, count, over.signal)
          for (const { info } of messages) {
            delivered += 1
            if (info.deliverySequence !== delivered) throw new Error('A message of the stream was lost.')
            reading.received = info.streamSequence
          }
          return messages
        },
        apply: (messages) => apply(reading, messages),
        // Also stores the position of batches without effect. If it overtakes the transaction of a batch, the stored position is
        // too old, which is harmless: events are applied again without an effect.
        async renew() {
          if (!(await movePosition(database, reader, reading.position))) over.abort()
        },
        pauseMs: () => (reading.hasChosen ? gatherMs : gatherIdleMs),
      }
    },
    async lag(connection) {
      const reading = last?.over.signal.aborted ? undefined : last
      const before = reading?.position.sequence
      const state = await stateOf(connection, stream)
      if (reading && before !== undefined) endIfStalled(reading, before, state.lastSequence)
      // Every replica exports the lag: a former reader must not keep its last value, and there can be no reader.
      return countAfter(state, reading?.position ?? (await readPosition(database, name)))
    },
    /** Applies a dead letter behind the events read so far: its own position has passed. */
    async replay(message) {
      const events = (await choose([message])).map(toEvent)
      if (events.length === 0) return 'ignored'
      await database.transaction((tx) => options.apply(tx, events))
      return 'applied'
    },
    async close() {
      if (last) await movePosition(database, reader, last.position)
      await releasePosition(database, reader)
    },
  }
}

/** A session of the reader. */
interface Reading {
  readonly over: AbortController
  /** Of the last message that was applied. */
  position: StreamPosition
  /** Sequence of the last received message. */
  received: number
  /** Whether an event of the last batch was chosen. */
  hasChosen: boolean
  /** Where reading made no progress between the last two measurements. */
  stalledAt?: number | undefined
}

function headOf(message: EventMessage): EventHead {
  return {
    id: optional(message, 'ce-id') ?? '',
    type: typeOf(message),
    storeId: optional(message, 'ce-storeid'),
  }
}

function positionAt({ position }: Reading, messages: readonly Delivery[]): StreamPosition {
  const last = messages.at(-1)
  if (!last) return position
  return { created: position.created, sequence: last.info.streamSequence, eventId: optional(last, 'ce-id') ?? null }
}

/** Pause after a fetch that took all events, so that more events share a batch under load. */
const gatherMs = 50
/** The same after a batch without chosen events, which are not urgent. */
const gatherIdleMs = 100
const maxDelayMs = 5000
const outagesBeforeSplit = 3
