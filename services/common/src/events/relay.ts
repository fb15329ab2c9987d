import { jetstreamManager } from '@nats-io/jetstream'
import type { Logger } from '../log/index.ts'
import type { Nats } from '../nats/index.ts'
import type { Database } from '../postgres/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { headerBytes } from './envelope.ts'
import { hasWaiting, outboxAgeSeconds } from './outbox.ts'
import { createOutboxMaintenance } from './outbox-maintenance.ts'
import { watchOversizedEvents } from './oversized-events.ts'
import { type BatchOptions, publishBatch } from './publish-batch.ts'
import { createPublisher, type Publisher } from './publisher.ts'
import { createdOf, recoverStream } from './stream-loss.ts'
import { createWakeSignal } from './wake-signal.ts'

interface RelayOptions {
  database: Database
  nats: Nats
  /** Name of the stream. Its subjects start with the name in lower case. */
  stream: string
  log: Logger
  metrics: Metrics
}

/** Publishes the events of the outbox to the stream. */
export interface Relay {
  start(): void
  /** Finishes the current batch. Unpublished events stay in the outbox. */
  stop(): Promise<void>
}

/**
 * Creates the relay of a process. Every replica of a service runs one, and concurrent relays claim different aggregates
 * (decision 0043). If a process ends, others publish its events immediately; if it hangs, they publish the events it has claimed
 * after 5 s.
 *
 * Guarantees: every committed event reaches the stream, despite crashes; events of an aggregate reach it in order; an event
 * may reach it more than once (JetStream drops duplicates within 10 minutes, consumers the rest). While NATS is unavailable,
 * events stay in the outbox. An event that exceeds `max_payload` is skipped until the limit is raised; later events are
 * published.
 *
 * Runs after each transaction of `database` that has published events, at most every 25 ms under load, and polls every 200 ms
 * to 2 s. Also runs `createOutboxMaintenance`. Exports `outbox_oldest_event_age_seconds` and `events_published_total`.
 */
export function createRelay(options: RelayOptions): Relay {
  const { database, nats, stream, log, metrics } = options
  const wakeSignal = createWakeSignal()
  const retrySignal = createWakeSignal()
  const maintenance = createOutboxMaintenance({ database, log })
  const published = metrics.counter('events_published_total', 'Events acknowledged by the stream.')
  metrics.gauge(
    'outbox_oldest_event_age_seconds',
    'Age of the oldest unpublished event in the outbox; 0 if there is none.',
    () => outboxAgeSeconds(database).catch(() => Number.NaN),
  )
  const lossDetector = createLossDetector(options)
  const oversized = watchOversizedEvents(options)
  let publisher: Publisher | undefined
  let hasBacklog = false
  let reach = minReach
  let running: Promise<void> | undefined
  let stopping = false

  async function loop(): Promise<void> {
    let failures = 0
    let idleMs = pollMs
    let woken = true
    while (!stopping) {
      const startedAt = performance.now()
      let sent = 0
      try {
        ;({ sent, hasMore: hasBacklog } = await step({ isPoll: !woken }))
        failures = 0
      } catch (error) {
        failures += 1
        lossDetector.suspect()
        if (failures === 1) log.warn({ err: error }, 'event publishing failed: events stay in the outbox')
      }
      if (failures > 0) {
        // New events must not shorten it: under load, the relay would retry without a pause.
        await retrySignal.wait(Math.min(pollMs * 2 ** failures, maxBackoffMs))
        woken = true
        continue
      }
      if (hasBacklog) continue
      idleMs = sent > 0 ? pollMs : Math.min(idleMs * 2, maxPollMs)
      woken = await wakeSignal.wait(idleMs)
      if (!woken || stopping) continue
      idleMs = pollMs
      await gather(startedAt)
    }
  }

  async function step({ isPoll }: { isPoll: boolean }): Promise<Progress> {
    const connection = nats.connection()
    if (!connection) return { sent: 0, hasMore: false }
    await lossDetector.check(connection)
    if (isPoll && !(await hasWaiting(database))) return { sent: 0, hasMore: false }
    const maxBytes = (connection.info?.max_payload ?? defaultMaxPayload) - headerBytes
    await oversized.check(maxBytes)
    if (publisher?.connection !== connection) publisher = createPublisher(connection, nats.name)
    const batch = { database, publisher, stream, batchSize, maxBytes }
    return hasBacklog ? await drain(batch) : await publishOne(batch)
  }

  /** Publishes a batch of the events that no other relay has claimed. Looks further next time if it finds few among many. */
  async function publishOne(batch: Omit<BatchOptions, 'reach'>): Promise<Progress> {
    const looked = reach
    const { claimed, sent, isAll, isCut, failure } = await publishBatch({ ...batch, reach: looked })
    published.inc(sent)
    if (failure !== undefined && sent === 0) throw failure
    if (failure !== undefined)
      log.warn({ err: failure, count: claimed - sent }, 'event publishing failed: part of a batch stays in the outbox')
    const canLookFurther = isCut && sent < batchSize / 2 && looked < maxReach
    if (canLookFurther) reach = looked + minReach
    return { sent, hasMore: canLookFurther || (!isAll && sent >= backlogSize) }
  }

  /** Publishes a backlog for a while, with several batches in flight. */
  async function drain(batch: Omit<BatchOptions, 'reach'>): Promise<Progress> {
    const until = performance.now() + drainMs
    // Other relays may have fewer claims than before.
    reach = Math.max(minReach, reach - minReach)
    const publishBatches = async () => {
      for (;;) {
        const progress = await publishOne(batch)
        if (!progress.hasMore || stopping || performance.now() > until) return progress
      }
    }
    const results = await Promise.allSettled(Array.from({ length: maxBatches }, publishBatches))
    const last: Progress = { sent: 0, hasMore: false }
    for (const result of results) {
      if (result.status === 'rejected') throw result.reason
      last.sent += result.value.sent
      last.hasMore ||= result.value.hasMore
    }
    return last
  }

  const wakeAlways = () => {
    wakeSignal.wake()
    retrySignal.wake()
  }
  nats.onConnect(wakeAlways)
  database.onInsert('outbox', wakeSignal.wake)

  return {
    start() {
      running ??= loop()
      maintenance.start()
    },
    async stop() {
      stopping = true
      wakeAlways()
      await Promise.all([running, maintenance.stop()])
    },
  }
}

/** Collects events of concurrent commits into one batch: briefly for a lone event, longer while batches follow each other. */
async function gather(lastBatchAt: number): Promise<void> {
  const remainingMs = batchEveryMs - (performance.now() - lastBatchAt)
  await new Promise((resolve) => setTimeout(resolve, Math.max(gatherMs, remainingMs)))
}

/** While there are events; doubles up to the maximum while there are none. Finds events of replicas that were killed. */
const pollMs = 200
const maxPollMs = 2000
const maxBackoffMs = 5000
const gatherMs = 5
const batchEveryMs = 25
const batchSize = 256
/** After a smaller batch, the events that are left are probably claimed by other relays. */
const backlogSize = 64
const defaultMaxPayload = 1024 * 1024
/** Batches in flight of a relay with a backlog: Postgres works on one while the stream stores the other. */
const maxBatches = 2
/** Batches that a claim looks through if no other relay has claims: enough for the batches of this relay. */
const minReach = maxBatches
/** Batches that a claim looks through at most, and so the most that relays of all replicas can have in flight. */
const maxReach = 16
/** How long a backlog is published before the stream is checked again. */
const drainMs = 1000
const streamCheckMs = 5000

/** What the last batches have done. */
interface Progress {
  sent: number
  /** Whether events of a backlog are left that may be free. */
  hasMore: boolean
}

/** Checks for lost events after each connect, after a failure, and every 5 s. */
function createLossDetector({ database, nats, stream, log }: RelayOptions) {
  let checkedGeneration: number | undefined
  let dueAt = 0
  let created: string | undefined
  return {
    suspect() {
      dueAt = 0
      created = undefined
    },
    async check(connection: NonNullable<ReturnType<Nats['connection']>>): Promise<void> {
      const generation = nats.generation()
      const checkTail = checkedGeneration !== generation
      if (!checkTail && performance.now() < dueAt) return
      const manager = await jetstreamManager(connection, { checkAPI: false })
      if (checkTail || created === undefined || (await createdOf(manager, stream)) !== created) {
        const { count, ...state } = await recoverStream(database, manager, stream, { checkTail })
        if (count > 0) log.warn({ stream, count }, 'stream lost events: publishing them again')
        created = state.created
      }
      checkedGeneration = generation
      dueAt = performance.now() + streamCheckMs
    },
  }
}
