import { createConsumerMetrics } from './consumer-metrics.ts'
import type { ConsumerOptions } from './consumer-options.ts'
import { countDeadLetters } from './dead-letters.ts'
import { ackWaitMs, createDurable } from './durable.ts'
import type { EventMessage } from './envelope.ts'
import { createPartitions } from './partitions.ts'
import { createMessageProcessor } from './process-message.ts'
import { pull } from './pull.ts'
import { createWakeSignal } from './wake-signal.ts'

export interface Consumer {
  readonly name: string
  /**
   * Applies a message that the consumer gave up on, once. Works without NATS, and before `start`.
   * @throws what made it fail
   */
  replay(message: EventMessage): Promise<void>
  start(): void
  /** Accepts no more messages and finishes those in progress. */
  stop(): Promise<void>
}

/**
 * Creates a durable pull consumer. Every event is applied exactly once, despite crashes and repeated deliveries: the effect
 * and the record that the event was applied are one transaction, and the message is acknowledged after its commit.
 *
 * - Events of a batch handler (`onEvents`) share a transaction. If it fails, each event gets a separate one.
 * - A failed event is retried with increasing delay, while others continue. After `maxAttempts` it is moved to `dead_letter`
 *   with its cause. A malformed event is moved there at once.
 * - While the service's database is unavailable, events stay in the stream; these failures do not count as attempts.
 * - A `PostponeEvent` does not count as an attempt either: the event is retried every 10 minutes for more than a day.
 * - After an outage of NATS the consumer continues, and creates stream and consumer again if they were deleted.
 *
 * Exports `events_consumed_total` by outcome, `consumer_lag_events` and `dead_letters`.
 */
export function createConsumer(options: ConsumerOptions): Consumer {
  const { database, nats, stream, name, log } = options
  const metrics = createConsumerMetrics(options.metrics)
  const durable = createDurable(options)
  const process = createMessageProcessor(options, (outcome) => metrics.consumed.inc({ consumer: name, outcome }))
  const wakeSignal = createWakeSignal()
  const pauseSignal = createWakeSignal()
  const usesBatches = options.deliver === 'newest' && options.handlers.some(({ handleAll }) => handleAll)
  const { maxInFlight, gatherMs, ...partitioning } = usesBatches ? batched : single
  const partitions = createPartitions({ ...partitioning, handle: process.all, onRoom: wakeSignal.wake })
  let stopping = false
  let running: Promise<void> | undefined
  let stopFetch: (() => void) | undefined
  let pingedAt = Number.NEGATIVE_INFINITY
  let timers: NodeJS.Timeout[] = []

  async function fetchOnce(): Promise<void> {
    const connection = nats.connection()
    const room = maxInFlight - partitions.size()
    if (!connection || room === 0) {
      await wakeSignal.wait(1000)
      return
    }
    if (performance.now() - pingedAt > pingMs) {
      await database.ping()
      pingedAt = performance.now()
    }
    await durable.open(connection)
    if (stopping) return
    const count = Math.min(room, maxPull)
    const { messages, stop } = pull(connection, { stream, name, inbox: `_INBOX.${nats.name}`, count })
    stopFetch = stop
    const received = await messages
    for (const message of received) partitions.add(message)
    if (received.length < count) await pauseSignal.wait(received.length === 0 ? emptyPauseMs : gatherMs)
  }

  async function loop(): Promise<void> {
    let failures = 0
    while (!stopping) {
      try {
        await fetchOnce()
        failures = 0
      } catch (error) {
        durable.forget()
        pingedAt = Number.NEGATIVE_INFINITY
        failures += 1
        if (failures === 2) log.warn({ err: error, consumer: name }, 'event fetch failed: retrying')
        await wakeSignal.wait(Math.min(50 * 2 ** failures, 2000))
      }
    }
    await partitions.finish()
  }

  /** Extends the ack deadline of all messages in flight, including those still queued. */
  function extendAckDeadlines(): void {
    for (const message of partitions.inFlight()) message.working()
  }

  async function measure(): Promise<void> {
    const connection = nats.connection()
    if (connection) metrics.lag.set({ consumer: name }, await durable.lag(connection))
    metrics.deadLetters.set({ consumer: name }, await countDeadLetters(database, name))
  }

  nats.onConnect(() => {
    durable.forget()
    stopFetch?.()
    wakeSignal.wake()
  })

  return {
    name,
    replay: process.replay,
    start() {
      if (running) return
      running = loop()
      timers = [
        setInterval(extendAckDeadlines, ackWaitMs / 3).unref(),
        setInterval(() => void measure().catch(() => {}), measureMs).unref(),
      ]
    },
    async stop() {
      stopping = true
      stopFetch?.()
      wakeSignal.wake()
      pauseSignal.wake()
      await running
      for (const timer of timers) clearInterval(timer)
    },
  }
}

/**
 * `count` is the number of concurrent transactions, `maxInFlight` that of events fetched ahead. After a pull that took all events
 * that were there, the next one waits for `gatherMs`.
 */
const single = { count: 8, maxBatch: 32, gatherMs: 0, maxInFlight: 64 }
/** Batches need fewer transactions, with more events each: most of the cost is that of the transaction. */
const batched = { count: 1, maxBatch: 256, gatherMs: 100, maxInFlight: 512 }
const maxPull = 256
/** If requests of other replicas take all events, the server responds at once. */
const emptyPauseMs = 50
/** How often the consumer checks that its database is available. */
const pingMs = 1000
const measureMs = 10_000
