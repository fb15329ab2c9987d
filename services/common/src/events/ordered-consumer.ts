import { randomUUID } from 'node:crypto'
import type { DescMessage } from '@bufbuild/protobuf'
import type { NatsConnection } from '@nats-io/transport-node'
import { isFault } from '../errors/index.ts'
import type { Transaction } from '../postgres/index.ts'
import { recordedParent } from '../telemetry/index.ts'
import { causeOf, MalformedEvent, readEvent, typeOf } from './apply-event.ts'
import type { Consumer } from './consumer.ts'
import { createConsumerMetrics } from './consumer-metrics.ts'
import type { ConsumerOptions } from './consumer-options.ts'
import { countDeadLetters, storeDeadLetter } from './dead-letters.ts'
import type { Delivery } from './delivery.ts'
import { type EventEnvelope, type EventMessage, optional } from './envelope.ts'
import { createPartitions } from './partitions.ts'
import {
  holdSeconds,
  movePosition,
  readPosition,
  releasePosition,
  type StreamPosition,
  takePosition,
} from './stream-position.ts'
import { countAfter, openStreamReader, type StreamReader, stateOf } from './stream-reader.ts'
import { traceProcessing } from './trace-events.ts'
import { createWakeSignal } from './wake-signal.ts'

/** The effect of an ordered consumer. */
export interface OrderedConsumerParts {
  name: string
  filterSubject: string
  deliver: 'in-order'
  /** The messages of all event types that can be chosen. */
  schemas: readonly DescMessage[]
  /**
   * Chooses the events to apply. Called once per batch, outside of the transaction, with events of the types in `schemas`;
   * nothing is written for a batch without chosen events.
   */
  choose(events: readonly EventHead[]): Promise<(event: EventHead) => boolean>
  /**
   * Applies events in the order of the stream, through `tx` only. An event can be passed again after the stream was lost, so
   * applying it twice must have no effect.
   */
  apply(tx: Transaction, events: readonly EventEnvelope[]): Promise<void>
}

/** The part of an event that can be read without decoding its message. */
export interface EventHead {
  id: string
  /** Full name of the message type. */
  type: string
  storeId: string | undefined
}

type OrderedConsumerOptions = OrderedConsumerParts &
  Pick<ConsumerOptions, 'cell' | 'database' | 'nats' | 'stream' | 'log' | 'metrics' | 'maxAttempts' | 'retryDelayMs'>

/**
 * Creates a consumer that applies the events of the stream strictly in order, whatever the number of replicas. One replica
 * reads at a time; another one takes over when it stops, or 10 s after it was killed.
 *
 * The position in the stream is stored in the transaction of the effect, which also checks that the process is still the
 * reader. So no event is skipped or applied out of order after a crash, and the stream needs no acknowledgements, which
 * makes events that are not chosen nearly free. After a loss of the stream, or of its tail, it is read from the start.
 *
 * While the database is unavailable, a batch is retried and later events wait. A batch that fails three times this way is
 * halved, because one that exceeds the statement timeout looks like an outage. An outage never makes a dead letter. A
 * malformed event and an event of another cell become dead letters, and so does an event that fails `maxAttempts` times for any
 * other reason; later events continue.
 *
 * Exports the metrics of `createConsumer`.
 */
export function createOrderedConsumer(options: OrderedConsumerOptions): Consumer {
  const { cell, database, nats, name, log, maxAttempts = 3, retryDelayMs = 250 } = options
  const metrics = createConsumerMetrics(options.metrics)
  const schemas = new Map(options.schemas.map((schema) => [schema.typeName, schema]))
  const reader = { consumer: name, holder: randomUUID() }
  const wakeSignal = createWakeSignal()
  const retrySignal = createWakeSignal()
  const pauseSignal = createWakeSignal()
  const partitions = createPartitions({ count: 1, maxBatch, handle: process, onRoom: wakeSignal.wake })
  let session: Session | undefined
  let knownBefore = false
  let stopping = false
  let running: Promise<void> | undefined
  let timers: NodeJS.Timeout[] = []

  async function loop(): Promise<void> {
    let failures = 0
    while (!stopping) {
      try {
        const connection = nats.connection()
        session = connection && (await open(connection))
        if (session) await read(session)
        else await wakeSignal.wait(takeOverMs)
        failures = 0
      } catch (error) {
        failures += 1
        if (failures === 2) log.warn({ err: error, consumer: name }, 'event fetch failed: retrying')
        await wakeSignal.wait(Math.min(50 * 2 ** failures, 2000))
      }
    }
    await releasePosition(database, reader).catch(() => {})
  }

  /** @returns undefined while another process is the reader */
  async function open(connection: NatsConnection): Promise<Session | undefined> {
    const position = await takePosition(database, reader)
    if (!position) return undefined
    const inbox = `_INBOX.${nats.name}`
    const opened = await openStreamReader(connection, { ...options, inbox }, position, { knownBefore })
    knownBefore = true
    return { ...opened, isOver: false, hasChosen: false, received: opened.position.sequence }
  }

  /** Reads until the session is over: after a reconnect, a lost message, or when another process is the reader. */
  async function read(current: Session): Promise<void> {
    try {
      while (!stopping && !current.isOver) {
        const count = Math.min(maxInFlight - partitions.size(), maxBatch)
        if (count === 0) await wakeSignal.wait(1000)
        else await readBatch(current, count)
      }
    } catch (error) {
      current.isOver = true
      throw error
    } finally {
      // Processes what was received when stopping, and drops it if the session is over.
      await partitions.finish()
      if (!current.isOver) await movePosition(database, reader, current.position)
    }
  }

  async function readBatch(current: Session, count: number): Promise<void> {
    const messages = await current.fetch(count)
    if (current.isOver) return
    for (const message of messages) {
      current.received = message.info.streamSequence
      partitions.add(message)
    }
    if (messages.length < count) await pauseSignal.wait(current.hasChosen ? gatherMs : gatherIdleMs)
  }

  function end(current: Session): void {
    current.isOver = true
    current.stopFetch()
    wakeSignal.wake()
    retrySignal.wake()
    pauseSignal.wake()
  }

  /** Processes the messages of the current session, in order. Retries until they are applied, are dead letters, or it ends. */
  async function process(messages: readonly Delivery[]): Promise<void> {
    const current = session
    for (let failures = 0, outages = 0; current && !current.isOver; ) {
      try {
        return await processBatch(current, messages)
      } catch (error) {
        const isOutage = isFault(error, 'service-unavailable')
        if (isOutage) outages += 1
        else failures += 1
        if (messages.length > 1 && (!isOutage || (outages === outagesBeforeSplit && !stopping))) {
          const size = isOutage ? Math.ceil(messages.length / 2) : 1
          for (let from = 0; from < messages.length; from += size) await process(messages.slice(from, from + size))
          return
        }
        const isFinal = error instanceof MalformedEvent || failures >= maxAttempts
        if (isFinal && (await giveUp(current, messages, error))) return
        if (stopping) return end(current)
        log.warn({ err: causeOf(error), consumer: name }, 'event failed: retrying, later events wait')
        await retrySignal.wait(Math.min(retryDelayMs * 2 ** failures, maxDelayMs))
      }
    }
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

  async function processBatch(current: Session, messages: readonly Delivery[]): Promise<void> {
    const chosen = await choose(messages)
    const position = positionAt(current, messages)
    current.hasChosen = chosen.length > 0
    if (chosen.length > 0 && !(await apply(chosen, position))) return end(current)
    current.position = position
    metrics.consumed.inc({ consumer: name, outcome: 'applied' }, chosen.length)
    metrics.consumed.inc({ consumer: name, outcome: 'ignored' }, messages.length - chosen.length)
  }

  function toEvent(message: EventMessage): EventEnvelope {
    return readEvent(message, schemas.get(typeOf(message)), cell)
  }

  /** Applies a dead letter behind the events read so far: its own position has passed. */
  async function replay(message: EventMessage): Promise<void> {
    try {
      const events = (await choose([message])).map(toEvent)
      if (events.length > 0) await database.transaction((tx) => options.apply(tx, events))
      metrics.consumed.inc({ consumer: name, outcome: events.length > 0 ? 'applied' : 'ignored' })
    } catch (error) {
      throw causeOf(error)
    }
  }

  /** @returns false if another process is the reader */
  async function apply(messages: readonly Delivery[], position: StreamPosition): Promise<boolean> {
    const events = messages.map(toEvent)
    const commit = () =>
      database.transaction(async (tx) => {
        if (!(await movePosition(tx, reader, position))) return false
        await options.apply(tx, events)
        return true
      })
    const isTraced = messages.some((message) => recordedParent(optional(message, 'traceparent')) !== undefined)
    return isTraced ? traceEach(messages, events, commit) : commit()
  }

  /** The events of a batch share a transaction: each recorded one has a span of it, below which its effects continue. */
  async function traceEach<T>(
    messages: readonly Delivery[],
    events: readonly EventEnvelope[],
    commit: () => Promise<T>,
  ): Promise<T> {
    let result: Promise<T> | undefined
    let waiting = messages.length
    const spansOpen = Promise.withResolvers<void>()
    await Promise.all(
      messages.map((message, index) =>
        traceProcessing(name, message, async (span) => {
          const event = events[index]
          if (span && event) event.traceparent = span.traceparent
          waiting -= 1
          if (waiting === 0) spansOpen.resolve()
          await spansOpen.promise
          result ??= commit()
          await result
          return { outcome: 'applied' }
        }),
      ),
    )
    if (!result) throw new Error('A batch without events was traced.')
    return result
  }

  /** @returns false if the dead letter could not be stored */
  async function giveUp(current: Session, messages: readonly Delivery[], error: unknown): Promise<boolean> {
    const cause = causeOf(error)
    const ids = { consumer: name, event_id: messages[0] && headOf(messages[0]).id }
    try {
      for (const message of messages) await storeDeadLetter(database, name, message, cause)
    } catch (failure) {
      log.error({ err: failure, ...ids }, 'dead letter could not be stored')
      return false
    }
    log.error({ err: cause, ...ids }, 'event moved to dead letters')
    metrics.consumed.inc({ consumer: name, outcome: 'dead_letter' }, messages.length)
    current.position = positionAt(current, messages)
    return true
  }

  /**
   * Also stores the position of batches without effect. If it overtakes the transaction of a batch, the stored position is
   * too old, which is harmless: events are applied again without an effect.
   */
  async function keepHold(): Promise<void> {
    const current = session
    if (!current || current.isOver) return
    if (!(await movePosition(database, reader, current.position))) end(current)
  }

  async function measure(): Promise<void> {
    const connection = nats.connection()
    metrics.deadLetters.set({ consumer: name }, await countDeadLetters(database, name))
    if (!connection) return
    const current = session
    const before = current?.received
    const state = await stateOf(connection, options.stream)
    // Every replica exports the lag: a former reader must not keep its last value, and there can be no reader.
    const position = current && !current.isOver ? current.position : await readPosition(database, name)
    metrics.lag.set({ consumer: name }, countAfter(state, position))
    if (!current || current.isOver || before === undefined) return
    // The server does not repeat a message that was lost on the way: two measurements without progress end the session.
    const isBehind = state.lastSequence > before && current.received === before && partitions.size() === 0
    if (isBehind && current.stalledAt === before) end(current)
    current.stalledAt = isBehind ? before : undefined
  }

  nats.onConnect(() => {
    if (session) end(session)
    wakeSignal.wake()
  })

  return {
    name,
    replay,
    start() {
      if (running) return
      running = loop()
      timers = [
        setInterval(() => void keepHold().catch(() => {}), (holdSeconds / 3) * 1000).unref(),
        setInterval(() => void measure().catch(() => {}), measureMs).unref(),
      ]
    },
    async stop() {
      stopping = true
      session?.stopFetch()
      wakeSignal.wake()
      retrySignal.wake()
      pauseSignal.wake()
      await running
      for (const timer of timers) clearInterval(timer)
    },
  }
}

interface Session extends StreamReader {
  isOver: boolean
  /** Whether an event of the last batch was chosen. */
  hasChosen: boolean
  /** Sequence of the last received message. */
  received: number
  stalledAt?: number | undefined
}

function headOf(message: EventMessage): EventHead {
  return {
    id: optional(message, 'ce-id') ?? '',
    type: typeOf(message),
    storeId: optional(message, 'ce-storeid'),
  }
}

function positionAt({ position }: Session, messages: readonly Delivery[]): StreamPosition {
  const last = messages.at(-1)
  if (!last) return position
  return { created: position.created, sequence: last.info.streamSequence, eventId: optional(last, 'ce-id') ?? null }
}

const maxBatch = 256
const maxInFlight = 1024
/** Pause after a pull that took all events, so that more events share a batch under load. */
const gatherMs = 50
/** The same after a batch without chosen events, which are not urgent. */
const gatherIdleMs = 100
const maxDelayMs = 5000
const outagesBeforeSplit = 3
const measureMs = 5000
/** How often a replica checks whether the reader is gone. */
const takeOverMs = 1000
