import { type JetStreamClient, jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { Logger } from '../log/index.ts'
import { type Nats, streamPrefix } from '../nats/index.ts'
import type { Database } from '../postgres/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { envelopeHeaders, headerBytes } from './envelope.ts'
import { createHousekeeping } from './housekeeping.ts'
import {
  claimAggregates,
  markPublished,
  type OutboxRow,
  outboxAgeSeconds,
  type Published,
  readUnpublished,
} from './outbox.ts'
import { recoverStream } from './stream-loss.ts'
import { watchTooLongEvents } from './too-long-events.ts'
import { tracePublish } from './trace-events.ts'
import { createWakeSignal } from './wake-signal.ts'

export interface RelayOptions {
  database: Database
  nats: Nats
  /** Name of the stream; its subjects start with the name in lower case. */
  stream: string
  log: Logger
  metrics: Metrics
}

/** Sends the events of the outbox to the stream. */
export interface Relay {
  start(): void
  /** Says that there is something to send. Called after commits; cheap, and safe to leave out. */
  wake: () => void
  /** Finishes the batch under way. What is unsent stays in the outbox. */
  stop(): Promise<void>
}

/**
 * The relay of a process. Every replica of a service runs one; they share the work.
 *
 * Promises: an event whose transaction was committed reaches the stream, whatever dies in between; events of one
 * aggregate reach it in order; an event may reach it more than once (JetStream drops repeats within 10 minutes, the
 * consumers the rest). While NATS is away nothing is lost and nobody waits; the outbox grows. An event
 * that the server would refuse for its length waits alone; later ones pass it.
 *
 * It looks when woken and every 200 ms, and also prunes what is out of date (outbox rows and consumed events by their
 * retention, expired idempotency records). Exports `outbox_oldest_event_age_seconds` and `events_published_total`.
 */
export function createRelay(options: RelayOptions): Relay {
  const { database, nats, stream, log, metrics } = options
  const signal = createWakeSignal()
  const housekeeping = createHousekeeping({ database, log })
  const published = metrics.counter('events_published_total', 'Events acknowledged by the stream.')
  metrics.gauge(
    'outbox_oldest_event_age_seconds',
    'Age of the oldest unpublished event in the outbox; 0 if there is none.',
    () => outboxAgeSeconds(database).catch(() => Number.NaN),
  )
  const guard = createStreamGuard(options)
  const tooLong = watchTooLongEvents(options)
  let running: Promise<void> | undefined
  let stopping = false

  async function loop(): Promise<void> {
    let failures = 0
    while (!stopping) {
      let more = false
      try {
        more = await step()
        failures = 0
      } catch (error) {
        failures += 1
        guard.suspect()
        if (failures === 1) log.warn({ err: error }, 'events could not be published; they wait in the outbox')
      }
      if (more) continue
      const woken = await signal.wait(failures === 0 ? pollMs : Math.min(pollMs * 2 ** failures, maxBackoffMs))
      // Commits that come together leave together.
      if (woken && !stopping && failures === 0) await new Promise((resolve) => setTimeout(resolve, gatherMs))
    }
  }

  /** @returns whether there may be more to do at once */
  async function step(): Promise<boolean> {
    const connection = nats.connection()
    if (!connection) return false
    await guard.check(connection)
    const maxBytes = (connection.info?.max_payload ?? usualMaxPayload) - headerBytes
    await tooLong.look(maxBytes)
    const rows = await readUnpublished(database, batchSize, maxBytes)
    if (rows.length === 0) return false
    const client = jetstream(connection, { timeout: ackTimeoutMs })
    const { claimed, sent, failure } = await publishBatch(database, client, streamPrefix(stream), rows)
    published.inc(sent)
    if (failure !== undefined && sent === 0) throw failure
    if (failure !== undefined) log.warn({ err: failure, count: claimed - sent }, 'some events could not be published')
    return claimed > 0
  }

  nats.onConnect(signal.ring)

  return {
    start() {
      running ??= loop()
      housekeeping.start()
    },
    wake: signal.ring,
    async stop() {
      stopping = true
      signal.ring()
      await Promise.all([running, housekeeping.stop()])
    },
  }
}

const pollMs = 200
const maxBackoffMs = 5000
const gatherMs = 5
const batchSize = 256
const usualMaxPayload = 1024 * 1024
const ackTimeoutMs = 5000
/** After this a batch begins no further publish, so that it commits before Postgres ends its idle transaction. */
const batchMs = 5000
const streamCheckMs = 5000

/**
 * Claims, publishes and marks one batch. The claim is a transaction that stays open while the stream answers: locks
 * on outbox rows are in nobody's way but another relay's, and they go with the connection when this process dies,
 * which no lease does.
 */
async function publishBatch(
  database: Database,
  client: JetStreamClient,
  prefix: string,
  rows: readonly OutboxRow[],
): Promise<BatchOutcome> {
  return database.transaction(async (tx) => {
    const chains = await claimAggregates(tx, rows)
    const acknowledged: Published[] = []
    const failures: unknown[] = []
    const deadline = performance.now() + batchMs
    await Promise.all(
      chains.map(async (chain) => {
        try {
          for (const row of chain) {
            if (performance.now() > deadline) return
            acknowledged.push(await publish(client, prefix, row))
          }
        } catch (error) {
          // The rows behind it keep their order by waiting for the next batch.
          failures.push(error)
        }
      }),
    )
    markPublished(tx, acknowledged)
    return { claimed: chains.flat().length, sent: acknowledged.length, failure: failures[0] }
  })
}

async function publish(client: JetStreamClient, prefix: string, row: OutboxRow): Promise<Published> {
  const subject = `${prefix}.${row.service}.${row.aggregate}.${row.verb}`
  const { seq } = await tracePublish(subject, row, (traceparent) =>
    client.publish(subject, row.payload, {
      msgID: row.event_id,
      headers: envelopeHeaders(row, traceparent),
      timeout: ackTimeoutMs,
    }),
  )
  return { eventId: row.event_id, sequence: seq }
}

/** Looks for a lost stream after each connect, after a failure, and every 5 s. */
function createStreamGuard({ database, nats, stream, log }: RelayOptions) {
  let checkedGeneration: number | undefined
  let dueAt = 0
  return {
    suspect() {
      dueAt = 0
    },
    async check(connection: NonNullable<ReturnType<Nats['connection']>>): Promise<void> {
      const generation = nats.generation()
      const checkTail = checkedGeneration !== generation
      if (!checkTail && performance.now() < dueAt) return
      const manager = await jetstreamManager(connection, { checkAPI: false })
      const count = await recoverStream(database, manager, stream, { checkTail })
      if (count > 0) log.warn({ stream, count }, 'the stream has lost events; publishing them again')
      checkedGeneration = generation
      dueAt = performance.now() + streamCheckMs
    },
  }
}

interface BatchOutcome {
  claimed: number
  sent: number
  failure: unknown
}
