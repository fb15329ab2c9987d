import { randomUUID } from 'node:crypto'
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node'
import sql, { Sql } from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Claim, claimMs, claimUnpublished, markPublished } from '../src/events/outbox.ts'
import { type BatchOutcome, publishBatch } from '../src/events/publish-batch.ts'
import { createPublisher } from '../src/events/publisher.ts'
import { recoverStream } from '../src/events/stream-loss.ts'
import type { Database, Transaction } from '../src/postgres/index.ts'
import { requireEnv } from '../testing/require-env.ts'
import { changeThings, thingIds } from './events-harness.ts'
import { createTestDatabase, type TestDatabase, waitFor } from './harness.ts'

describe('relays of one outbox', () => {
  let test: TestDatabase
  let database: Database
  let stream: string
  let connection: NatsConnection
  let manager: JetStreamManager

  beforeAll(async () => {
    test = await createTestDatabase()
    ;({ database, stream } = test)
    connection = await connect({ servers: requireEnv('TEST_NATS_URL') })
    manager = await jetstreamManager(connection)
    // Duplicates that arrive 100 ms later are stored, so that the tests see them.
    await manager.streams.add({ name: stream, subjects: [subject('>')], duplicate_window: nanos(100) })
    await database.query(sql`insert into outbox_stream (stream) values (${stream})`)
  })
  beforeEach(async () => {
    await database.query(sql`delete from outbox`)
    await manager.streams.purge(stream)
  })
  afterEach(() => vi.restoreAllMocks())
  afterAll(async () => {
    await manager.streams.delete(stream)
    await connection.close()
    await test.drop()
  })

  function subject(name: string): string {
    return `${stream.toLowerCase()}.${name}`
  }

  /** Publishes one batch, as a relay does. */
  function publishOne(through: Database = database, publishMs?: number): Promise<BatchOutcome> {
    const publisher = createPublisher(connection, 'test')
    const batch = { database: through, publisher, stream, batchSize: 10, reach: 2, maxBytes: 100_000 }
    return publishBatch(batch, publishMs)
  }

  /** Claims once per item, each in a transaction that stays open during the following ones. */
  function claimAll(claims: readonly ClaimFunction[], before: Claim[] = []): Promise<Claim[]> {
    return database.transaction(async (tx) => {
      const [claim, ...others] = claims
      if (!claim) return before
      return claimAll(others, [...before, await claim(tx)])
    })
  }

  const claimWithin =
    (reach: number): ClaimFunction =>
    (tx) =>
      claimUnpublished(tx, { stream, batchSize: 10, reach, maxBytes: 100_000 })

  it('claim different aggregates of a backlog; a relay that only looks at the first batch gets none (negative control)', async () => {
    for (const version of [1, 2]) await changeThings(database, thingIds(15), version)
    const claims = await claimAll([claimWithin(4), claimWithin(4), claimWithin(1), claimWithin(4)])
    expect(claims.map(({ chains }) => chains.flat().length)).toEqual([10, 10, 0, 10])
    expect(claims.map(({ isAll, isCut }) => [isAll, isCut])).toEqual([
      [false, false],
      [false, false],
      [false, true],
      [false, false],
    ])
    const ids = claims.flatMap(({ chains }) => chains.map(([row]) => row?.aggregate_id))
    expect(ids.toSorted()).toEqual(thingIds(15).toSorted())
    for (const chain of claims.flatMap(({ chains }) => chains)) {
      expect(chain.map(({ aggregate_version }) => aggregate_version)).toEqual(['1', '2'])
    }
  })

  /** A relay claims two events of a thing and is suspended, until another relay has published these and a third one. */
  async function overtake(options: { unclaimed?: boolean; ended?: boolean; publishMs?: number }) {
    for (const version of [1, 2]) await changeThings(database, ['thing'], version)
    const claimed = Promise.withResolvers<void>()
    const resumed = Promise.withResolvers<void>()
    const slow = publishOne(
      interceptClaims(database, async (tx, statement) => {
        const rows = await tx.query(options.unclaimed ? withoutLock(statement) : statement)
        claimed.resolve()
        await resumed.promise
        return rows
      }),
      options.publishMs,
    ).catch((error: unknown) => error)
    await claimed.promise
    if (options.ended) {
      // As when the relay was suspended for longer than `claimMs`.
      await database.query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`)
      const now = performance.now.bind(performance)
      vi.spyOn(performance, 'now').mockImplementation(() => now() + claimMs)
    }
    await waitFor(async () => (await publishOne()).sent > 0, 'the other relay to publish')
    await changeThings(database, ['thing'], 3)
    await waitFor(async () => (await publishOne()).sent > 0, 'the third event to be published')
    await waitUntilDuplicatesAreStored()
    resumed.resolve()
    return { outcome: await slow, versions: await versionsInStream() }
  }

  async function waitUntilDuplicatesAreStored(): Promise<void> {
    const msgID = randomUUID()
    const probe = () => jetstream(connection).publish(subject('probe'), '', { msgID })
    await probe()
    await waitFor(async () => !(await probe()).duplicate, 'duplicates to be stored')
  }

  async function versionsInStream(): Promise<string[]> {
    const { state } = await manager.streams.info(stream)
    const sequences = Array.from({ length: state.messages }, (_, n) => state.first_seq + n)
    const messages = await Promise.all(sequences.map((seq) => manager.streams.getMessage(stream, { seq })))
    return messages.flatMap((message) => message?.header.get('ce-aggregateversion') || [])
  }

  it('publish nothing after their claim has ended, and mark nothing', async () => {
    const { outcome, versions } = await overtake({ ended: true })
    expect(versions).toEqual(['1', '2', '3'])
    expect(outcome).toMatchObject({ code: 'service-unavailable' })
  })

  it('would publish old events again without the time limit (negative control)', async () => {
    const { versions } = await overtake({ ended: true, publishMs: Number.POSITIVE_INFINITY })
    expect(versions.slice(0, 4)).toEqual(['1', '2', '3', '1'])
  })

  it('would overtake a slow relay without claims (negative control)', async () => {
    const { versions } = await overtake({ unclaimed: true })
    expect(versions).toEqual(['1', '2', '3', '1', '2'])
  })

  it('lose the claim of a hanging process after five seconds, regardless of the settings of the role', async () => {
    const settings = await database.transaction(async (tx) => {
      await claimWithin(1)(tx)
      return await tx.query(sql`
        select name, setting from pg_settings
        where name in ('idle_in_transaction_session_timeout', 'synchronous_commit') order by name`)
    })
    expect(settings).toEqual([
      { name: 'idle_in_transaction_session_timeout', setting: '5000' },
      { name: 'synchronous_commit', setting: 'off' },
    ])
  })

  it('do not mark events that the stream may have lost since they were published; without the epoch, they would be lost (negative control)', async () => {
    for (const [isFenced, waiting] of [
      [true, 1],
      [false, 0],
    ] as const) {
      await database.query(sql`delete from outbox`)
      await changeThings(database, ['lost'], 1)
      await database.transaction(async (tx) => {
        const { chains, epoch } = await claimWithin(1)(tx)
        const eventId = chains[0]?.[0]?.event_id ?? ''
        // Another replica finds a new stream, which does not have the event.
        await recoverStream(database, manager, stream, { checkTail: false })
        const [current] = await database.query<{ epoch: string }>(sql`select epoch from outbox_stream`)
        const used = isFenced ? epoch : (current?.epoch ?? '')
        markPublished(tx, { stream, epoch: used }, [{ eventId, sequence: 7 }])
      })
      const rows = await database.query(sql`select from outbox where published_at is null`)
      expect(rows).toHaveLength(waiting)
    }
  })
})

type ClaimFunction = (tx: Transaction) => Promise<Claim>

/** A database whose transactions execute claims with `execute`. */
function interceptClaims(
  database: Database,
  execute: (tx: Transaction, statement: Sql) => Promise<object[]>,
): Database {
  return {
    ...database,
    transaction: (work, caller) =>
      database.transaction((tx) => {
        const query = (statement: Sql) => (isClaim(statement) ? execute(tx, statement) : tx.query(statement))
        return work({ ...tx, query } as Transaction)
      }, caller),
  }
}

function isClaim({ text }: Sql): boolean {
  return text.includes(lock)
}

function withoutLock({ strings, values }: Sql): Sql {
  return new Sql(
    strings.map((text) => text.replace(lock, '')),
    values,
  )
}

const lock = 'for update skip locked'
