import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { claimUnpublished, markPublished } from '../src/events/outbox.ts'
import { createDatabase, type Database } from '../src/postgres/index.ts'
import {
  changeThings,
  metricValue,
  type Parts,
  publishThing,
  startRelay,
  thingIds,
  waitUntilPublished,
  withManager,
} from './events-harness.ts'
import { silentLog, waitFor } from './harness.ts'
import { useRelays } from './use-relays.ts'

const setup = useRelays()
const { start, readStream, countChecks, lastSequence } = setup

describe('the relay', () => {
  it('publishes an event with its CloudEvents attributes and trace', async () => {
    const relay = start()
    await changeThings(setup.database, ['one'], 1)
    await waitUntilPublished(setup.database)
    const message = await withManager(relay.nats, (manager) =>
      manager.streams.getMessage(setup.test.stream, {
        last_by_subj: `${setup.test.stream.toLowerCase()}.things.thing.changed`,
      }),
    )
    const header = (name: string) => message?.header.get(name)
    expect({
      source: header('ce-source'),
      type: header('ce-type'),
      subject: header('ce-subject'),
      version: header('ce-aggregateversion'),
      store: header('ce-storeid'),
      trace: header('traceparent'),
      sameId: header('ce-id') === header('Nats-Msg-Id'),
    }).toEqual({
      source: '/storekeep/things',
      type: 'storekeep.things.v1.Thing',
      subject: 'one',
      version: '1',
      store: '7',
      trace: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      sameId: true,
    })
  })

  it('reads no more rows per batch as an outbox grows that was empty when the statements were planned', async () => {
    const { stream } = setup.test
    await setup.database.query(sql`truncate outbox`)
    await setup.database.query(sql`insert into outbox_stream (stream) values (${stream}) on conflict do nothing`)
    const own = createDatabase({
      url: setup.test.url,
      applicationName: 'test',
      connections: { transactions: 1 },
      log: silentLog,
    })
    const publishBatch = () =>
      own.transaction(async (tx) => {
        await tx.query(sql`select pg_stat_force_next_flush()`)
        const { chains, epoch } = await claimUnpublished(tx, { stream, batchSize: 10, reach: 2, maxBytes: 10_000 })
        const published = chains.flat().map((row, n) => ({ eventId: row.event_id, sequence: n + 1 }))
        markPublished(tx, { stream, epoch }, published)
      })
    const rowsRead = async () => {
      const [row] = await setup.database.query<{ rows: number }>(sql`
        select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_user_tables where relname = 'outbox'`)
      return row?.rows ?? Number.NaN
    }
    // Postgres keeps the plans of a statement that has run more than five times.
    for (let n = 0; n < 8; n += 1) {
      await changeThings(setup.database, [`first ${n}`], 1)
      await publishBatch()
    }
    await setup.database.transaction(async (tx) => {
      for (const id of thingIds(3000, 'many')) await publishThing(tx, { id, version: 1 })
    })
    await setup.database.query(sql`update outbox set published_at = now() where published_at is null`)
    const counts: number[] = []
    for (let n = 0; n < 5; n += 1) {
      const before = await rowsRead()
      await changeThings(setup.database, [`last ${n}`], 1)
      await publishBatch()
      counts.push((await rowsRead()) - before)
    }
    // Each other connection reports what it read before once, at any time.
    expect(Math.min(...counts)).toBeGreaterThan(0)
    expect(Math.min(...counts)).toBeLessThan(100)
    await own.close()
  })

  it('finds events of another process that seem to be from the future, since the clock of the setup.database was set back', async () => {
    const relay = start()
    await changeThings(setup.database, ['before'], 1)
    await waitUntilPublished(setup.database)
    // A separate setup.database does not wake the relay.
    const other = createDatabase({ url: setup.test.url, applicationName: 'test', log: silentLog })
    await other.transaction(async (tx) => {
      await publishThing(tx, { id: 'future', version: 1 })
      tx.enqueueBeforeCommit(
        sql`update outbox set created_at = now() + interval '1 hour' where aggregate_id = 'future'`,
      )
    })
    await waitUntilPublished(setup.database)
    await other.close()
    const last = (await readStream(relay)).at(-1)
    expect(last?.aggregateId).toBe('future')
  })

  it('waits longer after each failure, although new events arrive', async () => {
    let attempts = 0
    const failing: Database = {
      ...setup.database,
      transaction: () => {
        attempts += 1
        return Promise.reject(new Error('no batch'))
      },
    }
    const relay = startRelay({ ...setup.test, database: failing })
    setup.parts.push(relay)
    await waitFor(async () => attempts > 0 || undefined, 'the first batch')
    for (let n = 0; n < 60; n += 1) await changeThings(setup.database, [`failing ${n}`], 1)
    expect(attempts).toBeLessThan(12)
  })

  it('publishes no event of a rolled-back transaction', async () => {
    const relay = start()
    const before = await lastSequence(relay)
    const work = setup.database.transaction(async (tx) => {
      await publishThing(tx, { id: 'never', version: 1 })
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    await changeThings(setup.database, ['after'], 1)
    await waitUntilPublished(setup.database)
    expect((await readStream(relay, before)).map(({ aggregateId }) => aggregateId)).toEqual(['after'])
  })

  it('publishes all events that 16 writers commit out of order; reading by "position > last" misses some (negative control)', async () => {
    const relay = start()
    const before = await lastSequence(relay)
    const seen = new Set<string>()
    const stopReader = readByPosition(setup.database, seen)
    await Promise.all(
      Array.from({ length: 16 }, async (_, writer) => {
        for (let n = 0; n < 64; n += 1) {
          await setup.database.transaction(async (tx) => {
            await publishThing(tx, { id: `${writer}-${n}`, version: 1 })
            // Makes some transactions slower between insert and commit.
            if (n % 3 === writer % 3) tx.enqueueBeforeCommit(sql`select pg_sleep(0.002)`)
          })
        }
      }),
    )
    await waitUntilPublished(setup.database)
    await stopReader()
    const sent = new Set((await readStream(relay, before)).map(({ id }) => id))
    expect(sent.size).toBe(16 * 64)
    expect(seen.size).toBeLessThan(16 * 64)
  })

  it('keeps the order of each aggregate and publishes each event once with several relays', async () => {
    const checks = await countChecks()
    const relays = [start(), start(), start()]
    const [first] = relays as [Parts]
    // A check of the stream makes relays publish again what they were publishing.
    await waitFor(async () => (await countChecks()) === checks + 3, 'every relay to check the stream')
    const before = await lastSequence(first)
    const ids = thingIds(20, 'ordered')
    await Promise.all(
      ids.map(async (id) => {
        for (let version = 1; version <= 25; version += 1) {
          await setup.database.transaction((tx) => publishThing(tx, { id, version }))
        }
      }),
    )
    await waitUntilPublished(setup.database)
    const sent = await readStream(first, before)
    expect(sent).toHaveLength(500)
    const acks = await Promise.all(relays.map(({ metrics }) => metricValue(metrics, 'events_published_total')))
    expect(acks.reduce((sum, count) => sum + count, 0)).toBe(500)
    for (const id of ids) {
      const versions = sent.filter(({ aggregateId }) => aggregateId === id).map(({ version }) => version)
      expect(versions).toEqual(Array.from({ length: 25 }, (_, n) => n + 1))
    }
  })

  it('publishes no event of an aggregate before an earlier one, even if the stream rejects that one', async () => {
    const relay = start()
    await changeThings(setup.database, ['before'], 1)
    await waitUntilPublished(setup.database)
    const before = await lastSequence(relay)
    await setMaxMessageSize(relay, 10_000)
    await setup.database.transaction(async (tx) => {
      await publishThing(tx, { id: 'rejected', version: 1, name: 'x'.repeat(10_000) })
      await publishThing(tx, { id: 'rejected', version: 2 })
      await publishThing(tx, { id: 'other', version: 1 })
    })
    // Events of the same batch, then of a later one.
    await waitUntilThingPublished('other')
    await changeThings(setup.database, ['later'], 1)
    await waitUntilThingPublished('later')
    await setMaxMessageSize(relay, -1)
    await waitUntilPublished(setup.database)
    const sent = (await readStream(relay, before)).map(({ aggregateId, version }) => `${aggregateId} ${version}`)
    expect(sent).toEqual(['other 1', 'later 1', 'rejected 1', 'rejected 2'])

    function waitUntilThingPublished(id: string) {
      const find = sql`select from outbox where aggregate_id = ${id} and published_at is not null`
      return waitFor(async () => (await setup.database.query(find)).length === 1, `${id} to be published`)
    }

    function setMaxMessageSize(from: Parts, bytes: number) {
      return withManager(from.nats, (manager) => manager.streams.update(setup.test.stream, { max_msg_size: bytes }))
    }
  })

  it('publishes a long backlog of one aggregate in order', async () => {
    await setup.database.transaction(async (tx) => {
      for (let version = 1; version <= 520; version += 1) await publishThing(tx, { id: 'backlog', version })
    })
    const relay = start()
    await waitUntilPublished(setup.database)
    const sent = (await readStream(relay)).filter(({ aggregateId }) => aggregateId === 'backlog')
    const versions = sent.map(({ version }) => version)
    expect(versions).toEqual(Array.from({ length: 520 }, (_, n) => n + 1))
  })
})

/** Negative control: reads by position and so loses events. Shows that the writers do commit out of order. */
function readByPosition(database: Database, seen: Set<string>): () => Promise<void> {
  let last = '0'
  let stopping = false
  async function readOnce(): Promise<void> {
    const rows = await database.query<{ event_id: string; position: string }>(
      sql`select event_id, position from outbox where position > ${last} order by position`,
    )
    for (const { event_id, position } of rows) {
      seen.add(event_id)
      last = position
    }
  }
  const running = (async () => {
    while (!stopping) await readOnce()
  })()
  return async () => {
    stopping = true
    await running
    await readOnce()
  }
}
