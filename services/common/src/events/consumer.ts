import { setTimeout as sleep } from 'node:timers/promises'
import { causeOf } from './apply-event.ts'
import { consumerMetrics } from './consumer-metrics.ts'
import { renewMs } from './consumer-mode.ts'
import type { ConsumerOptions } from './consumer-options.ts'
import { countDeadLetters } from './dead-letters.ts'
import type { EventMessage } from './envelope.ts'
import { createOrderedMode } from './ordered-mode.ts'
import { createPartitions } from './partitions.ts'
import { createSharedMode } from './shared-mode.ts'
import type { Outcome } from './trace-events.ts'
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
 * Creates a consumer of the events in the stream. An event and the record that it was applied are one transaction, so it is applied
 * exactly once despite crashes and repeated deliveries. How replicas share the work depends on `deliver`: see `createSharedMode` and
 * `createOrderedMode`.
 *
 * After an outage of NATS the consumer continues, and creates stream and consumer again if they were deleted. While the database of
 * the service is unavailable, events stay in the stream. Exports `events_consumed_total` by outcome, `consumer_lag_events` and
 * `dead_letters`.
 */
export function createConsumer(options: ConsumerOptions): Consumer {
  const { database, nats, name, log } = options
  const metrics = consumerMetrics(options.metrics)
  const report = (outcome: Outcome, count = 1) => metrics.consumed.inc({ consumer: name, outcome }, count)
  const mode = options.deliver === 'in-order' ? createOrderedMode(options, report) : createSharedMode(options, report)
  const wakeSignal = createWakeSignal()
  let over = new AbortController()
  let failures = 0
  let stopping = false
  let running: Promise<void> | undefined

  async function loop(): Promise<void> {
    const measuring = setInterval(measure, measureMs).unref()
    while (!stopping) {
      try {
        await consume()
      } catch (error) {
        failures += 1
        if (failures === 2) log.warn({ err: error, consumer: name }, 'event fetch failed: retrying')
        await wakeSignal.wait(Math.min(50 * 2 ** failures, 2000))
      }
    }
    await mode.close?.().catch(() => {})
    clearInterval(measuring)
  }

  /** Fetches and applies events until the session is over. */
  async function consume(): Promise<void> {
    const connection = nats.connection()
    over = new AbortController()
    const session = connection && (await mode.open(connection, over))
    if (!session) return void (await wakeSignal.wait(pollMs))
    const partitions = createPartitions({ ...mode.queue, handle: session.apply })
    const renewing = setInterval(() => void session.renew(partitions.inFlight()).catch(() => {}), renewMs).unref()
    try {
      while (!over.signal.aborted) {
        const count = Math.min(await partitions.room(), maxPull)
        const messages = await session.fetch(count)
        failures = 0
        for (const message of messages) partitions.add(message)
        if (messages.length < count) await sleep(session.pauseMs(messages.length))
      }
    } finally {
      over.abort()
      await partitions.finish()
      clearInterval(renewing)
    }
  }

  function measure(): void {
    const connection = nats.connection()
    const set = (gauge: typeof metrics.lag, value: Promise<number>) =>
      void value.then((now) => gauge.set({ consumer: name }, now)).catch(() => {})
    if (connection) set(metrics.lag, mode.lag(connection))
    set(metrics.deadLetters, countDeadLetters(database, name))
  }

  function interrupt(): void {
    over.abort()
    wakeSignal.wake()
  }
  nats.onConnect(interrupt)

  return {
    name,
    async replay(message) {
      try {
        report(await mode.replay(message))
      } catch (error) {
        throw causeOf(error)
      }
    },
    start() {
      running ??= loop()
    },
    async stop() {
      stopping = true
      interrupt()
      await running
    },
  }
}

const maxPull = 256
/** How often a replica checks whether NATS is available, and whether it must replace the replica that receives the events. */
const pollMs = 1000
const measureMs = 5000
