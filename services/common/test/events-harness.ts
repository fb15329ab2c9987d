import { jetstreamManager } from '@nats-io/jetstream'
import sql from 'sql-template-tag'
import {
  type Consumer,
  type ConsumerOptions,
  createConsumer,
  createRelay,
  type EventHandler,
  onEvent,
  publishEvent,
  type SharedConsumerParts,
} from '../src/events/index.ts'
import { createNats, type Nats } from '../src/nats/index.ts'
import type { Database, Transaction } from '../src/postgres/index.ts'
import { createMetrics, type Metrics } from '../src/telemetry/index.ts'
import { requireEnv } from '../testing/require-env.ts'
import { ThingSchema } from './fixtures/thing-proto.ts'
import { silentLog, type TestDatabase, waitFor } from './harness.ts'

/** Publishes an event of a changed thing. */
export function publishThing(tx: Transaction, thing: { id: string; version: number; name?: string }): Promise<void> {
  return publishEvent(tx, {
    service: 'things',
    aggregate: 'thing',
    verb: 'changed',
    aggregateId: thing.id,
    aggregateVersion: thing.version,
    storeId: '7',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    schema: ThingSchema,
    message: { id: thing.id, version: thing.version, name: thing.name ?? '' } as Record<string, unknown>,
  })
}

/** Publishes an event with this version for each thing, in separate transactions. */
export async function changeThings(database: Database, ids: readonly string[], version: number): Promise<void> {
  await Promise.all(ids.map((id) => database.transaction((tx) => publishThing(tx, { id, version }))))
}

export function thingIds(count: number, prefix = 'thing'): string[] {
  return Array.from({ length: count }, (_, n) => `${prefix}-${n}`)
}

export interface Parts {
  nats: Nats
  relay: ReturnType<typeof createRelay>
  metrics: Metrics
  stop(): Promise<void>
}

/** Starts a relay with its connection to NATS. */
export function startRelay(test: TestDatabase, natsUrl = requireEnv('TEST_NATS_URL')): Parts {
  const metrics = createMetrics({ service: 'test' })
  const nats = createNats({ url: natsUrl, name: 'test', log: silentLog })
  const relay = createRelay({ database: test.database, nats, stream: test.stream, log: silentLog, metrics })
  relay.start()
  return {
    nats,
    relay,
    metrics,
    async stop() {
      await relay.stop()
      await nats.close()
    },
  }
}

/** Records every application of an event in the table `seen`, in its transaction. */
export const recordSeen: EventHandler = onEvent(ThingSchema, async (tx, event) => {
  await tx.query(seenStatement(event.id, event.aggregateId, event.aggregateVersion))
})

export function startConsumer(
  test: TestDatabase,
  nats: Nats,
  options: Partial<ConsumerOptions<SharedConsumerParts>> = {},
): StartedConsumer {
  const metrics = createMetrics({ service: 'test' })
  const consumer = createConsumer({
    database: test.database,
    nats,
    stream: test.stream,
    name: 'test-seen',
    filterSubject: 'things.>',
    handlers: [recordSeen],
    deliver: 'every',
    retryDelayMs: 20,
    log: silentLog,
    metrics,
    ...options,
  })
  consumer.start()
  return { consumer, stop: () => consumer.stop(), metrics }
}

export interface StartedConsumer {
  consumer: Consumer
  metrics: Metrics
  stop(): Promise<void>
}

export async function createSeenTable(database: Database): Promise<void> {
  await database.query(sql`
    create table seen (
      position bigint generated always as identity, event_id uuid, aggregate_id text, version bigint
    )`)
}

export async function countSeen(database: Database, prefix = ''): Promise<number> {
  const rows = await database.query(sql`select from seen where aggregate_id like ${`${prefix}%`}`)
  return rows.length
}

/** Counts the events in the outbox that were not applied exactly once. */
export async function notAppliedOnce(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*)::int as count from (
      select from outbox left join seen using (event_id) group by outbox.event_id having count(seen.event_id) <> 1
    ) as wrong`)
  return row?.count ?? -1
}

export async function waitUntilPublished(database: Database): Promise<void> {
  await waitFor(
    async () => (await database.query(sql`select from outbox where published_at is null limit 1`)).length === 0,
    'every event to be published',
  )
}

export async function waitUntilApplied(database: Database, timeoutMs?: number): Promise<void> {
  await waitFor(async () => (await notAppliedOnce(database)) === 0, 'every event to be applied once', timeoutMs)
}

/** Sums the values of a metric whose labels match. */
export async function metricValue(
  metrics: Metrics,
  name: string,
  labels: Record<string, string> = {},
): Promise<number> {
  const metric = metrics.registry.getSingleMetric(name)
  const { values } = (await metric?.get()) ?? { values: [] }
  return values
    .filter((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0)
}

/** Calls `work` with a JetStream manager, once NATS is connected. */
export async function withManager<T>(
  nats: Nats,
  work: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<T>,
): Promise<T> {
  await waitFor(() => nats.connection() !== undefined, 'NATS to be connected')
  const connection = nats.connection()
  if (!connection) throw new Error('NATS is unavailable')
  return work(await jetstreamManager(connection, { checkAPI: false }))
}

function seenStatement(id: string, aggregateId: string, version: string) {
  return sql`insert into seen (event_id, aggregate_id, version) values (${id}, ${aggregateId}, ${version})`
}
