import { createConsumerMetrics } from './consumer-metrics.ts'
import type { ConsumerOptions } from './consumer-options.ts'
import { countDeadLetters } from './dead-letters.ts'
import { ackWaitMs, createDurable } from './durable.ts'
import { createPartitions } from './partitions.ts'
import { createMessageProcessor } from './process-message.ts'
import { createWakeSignal } from './wake-signal.ts'

export interface Consumer {
  start(): void
  /** Takes no more messages and finishes those under way. */
  stop(): Promise<void>
}

/**
 * A durable pull consumer. Every event has its effect exactly once, whatever dies and however often it is delivered:
 * the effect, and the note that the event was applied, are one transaction, and only then the message is acknowledged.
 *
 * - Events of a handler that takes many (`onEvents`) share a transaction and are acknowledged together after it. When it
 *   fails, each has one of its own.
 * - An event whose handler fails comes again, later and later; others go on meanwhile. After `maxAttempts` it is
 *   written to `dead_letter` with its cause and given up; so is one that cannot be read, at once.
 * - Trouble with the own database counts for nothing: the event stays in the stream until it is over.
 * - A `PostponeEvent` is no failure of the event's own: it comes again up to 10 minutes later, for more than a day.
 * - NATS away, restarted or emptied: goes on when it is back, making stream and consumer again when they are gone.
 *
 * Exports `events_consumed_total` by outcome, `consumer_lag_events` and `dead_letters`.
 */
export function createConsumer(options: ConsumerOptions): Consumer {
  const { database, nats, name, log } = options
  const metrics = createConsumerMetrics(options.metrics)
  const durable = createDurable(options)
  const process = createMessageProcessor(options, (outcome) => metrics.consumed.inc({ consumer: name, outcome }))
  const signal = createWakeSignal()
  const sharesTransactions = options.deliver === 'newest' && options.handlers.some(({ handleAll }) => handleAll)
  const { laneCount, maxInFlight } = sharesTransactions ? together : alone
  const lanes = createPartitions({ count: laneCount, handle: process, onRoom: signal.ring })
  let stopping = false
  let running: Promise<void> | undefined
  let stopFetch: (() => void) | undefined
  let timers: NodeJS.Timeout[] = []

  async function fetchOnce(): Promise<void> {
    const connection = nats.connection()
    const room = maxInFlight - lanes.inFlight.size
    if (!connection || room === 0) {
      await signal.wait(1000)
      return
    }
    await database.ping()
    const consumer = await durable.open(connection)
    if (stopping) return
    const messages = await consumer.fetch({ max_messages: room, expires: fetchMs })
    // A server that restarts forgets the request, and no answer ever comes.
    const overdue = setTimeout(() => messages.stop(), fetchMs + 2000)
    stopFetch = () => messages.stop()
    try {
      for await (const message of messages) lanes.add(message)
    } finally {
      clearTimeout(overdue)
      stopFetch = undefined
    }
  }

  async function loop(): Promise<void> {
    let failures = 0
    while (!stopping) {
      try {
        await fetchOnce()
        failures = 0
      } catch (error) {
        durable.forget()
        failures += 1
        if (failures === 2) log.warn({ err: error, consumer: name }, 'events cannot be fetched; trying on')
        await signal.wait(Math.min(50 * 2 ** failures, 2000))
      }
    }
    await lanes.finish()
  }

  /** Not in the message's own processing: one that waits for its turn needs its time too. */
  function keepClaims(): void {
    for (const message of lanes.inFlight) message.working()
  }

  async function measure(): Promise<void> {
    const connection = nats.connection()
    if (connection) metrics.lag.set({ consumer: name }, await durable.lag(connection))
    metrics.deadLetters.set({ consumer: name }, await countDeadLetters(database, name))
  }

  nats.onConnect(() => {
    durable.forget()
    stopFetch?.()
    signal.ring()
  })

  return {
    start() {
      if (running) return
      running = loop()
      timers = [
        setInterval(keepClaims, ackWaitMs / 3).unref(),
        setInterval(() => void measure().catch(() => {}), measureMs).unref(),
      ]
    },
    async stop() {
      stopping = true
      stopFetch?.()
      signal.ring()
      await running
      for (const timer of timers) clearInterval(timer)
    },
  }
}

/** How many transactions there are at a time, and how many events are fetched ahead. */
const alone = { laneCount: 8, maxInFlight: 64 }
/** Of few transactions each has many events. */
const together = { laneCount: 4, maxInFlight: 128 }
const fetchMs = 5000
const measureMs = 10_000
