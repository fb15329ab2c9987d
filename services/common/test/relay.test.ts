import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { claimUnpublished, markPublished } from '../src/events/outbox.ts'
import { createDatabase, type Database } from '../src/postgres/index.ts'
import { onServer } from '../testing/test-database.ts'
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
import { createTestDatabase, silentLog, type TestDatabase, waitFor } from './harness.ts'

interface StreamMessage {
  id: string
  aggregateId: string
  version: number
  subject: string
}

describe('the relay', () => {
  let test: TestDatabase
  let database: Database
  let parts: Parts[] = []

  beforeAll(async () => {
    test = await createTestDatabase()
    database = test.database
  })
  beforeEach(async () => {
    await database.query(sql`delete from outbox`)
  })
  afterEach(stopAll)
  afterAll(async () => {
    const extra = startRelay(test)
    await withManager(extra.nats, (manager) => manager.streams.delete(test.stream))
    await extra.stop()
    await test.drop()
  })

  function start(): Parts {
    const started = startRelay(test)
    parts.push(started)
    return started
  }

  async function stopAll(): Promise<void> {
    await Promise.all(parts.map((one) => one.stop()))
    parts = []
  }

  /** Everything in the stream since `after`, in order. */
  async function readStream(from: Parts, after = 0): Promise<StreamMessage[]> {
    return withManager(from.nats, async (manager) => {
      const { state } = await manager.streams.info(test.stream)
      const found: StreamMessage[] = []
      for (let start = after + 1; start <= state.last_seq; start += 100) {
        const end = Math.min(start + 100, state.last_seq + 1)
        const sequences = Array.from({ length: end - start }, (_, n) => start + n)
        const messages = await Promise.all(sequences.map((seq) => manager.streams.getMessage(test.stream, { seq })))
        for (const message of messages) {
          if (!message) continue
          found.push({
            id: message.header.get('ce-id'),
            aggregateId: message.header.get('ce-subject'),
            version: Number(message.header.get('ce-aggregateversion')),
            subject: message.subject,
          })
        }
      }
      return found
    })
  }

  async function countChecks(): Promise<number> {
    const [row] = await database.query<{ epoch: string }>(sql`select epoch from outbox_stream`)
    return Number(row?.epoch ?? 0)
  }

  async function lastSequence(from: Parts): Promise<number> {
    return withManager(from.nats, async (manager) => {
      const streams = await manager.streams.names().next()
      return streams.includes(test.stream) ? (await manager.streams.info(test.stream)).state.last_seq : 0
    })
  }

  it('publishes an event with its CloudEvents attributes and trace', async () => {
    const relay = start()
    await changeThings(database, ['one'], 1)
    await waitUntilPublished(database)
    const message = await withManager(relay.nats, (manager) =>
      manager.streams.getMessage(test.stream, { last_by_subj: `${test.stream.toLowerCase()}.things.thing.changed` }),
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
    const { stream } = test
    await database.query(sql`truncate outbox`)
    await database.query(sql`insert into outbox_stream (stream) values (${stream}) on conflict do nothing`)
    const own = createDatabase({
      url: test.url,
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
      const [row] = await database.query<{ rows: number }>(sql`
        select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_user_tables where relname = 'outbox'`)
      return row?.rows ?? Number.NaN
    }
    // Postgres keeps the plans of a statement that has run more than five times.
    for (let n = 0; n < 8; n += 1) {
      await changeThings(database, [`first ${n}`], 1)
      await publishBatch()
    }
    await database.transaction(async (tx) => {
      for (const id of thingIds(3000, 'many')) await publishThing(tx, { id, version: 1 })
    })
    await database.query(sql`update outbox set published_at = now() where published_at is null`)
    const counts: number[] = []
    for (let n = 0; n < 5; n += 1) {
      const before = await rowsRead()
      await changeThings(database, [`last ${n}`], 1)
      await publishBatch()
      counts.push((await rowsRead()) - before)
    }
    // Each other connection reports what it read before once, at any time.
    expect(Math.min(...counts)).toBeGreaterThan(0)
    expect(Math.min(...counts)).toBeLessThan(100)
    await own.close()
  })

  it('finds events of another process that seem to be from the future, since the clock of the database was set back', async () => {
    const relay = start()
    await changeThings(database, ['before'], 1)
    await waitUntilPublished(database)
    // A separate database does not wake the relay.
    const other = createDatabase({ url: test.url, applicationName: 'test', log: silentLog })
    await other.transaction(async (tx) => {
      await publishThing(tx, { id: 'future', version: 1 })
      tx.enqueueBeforeCommit(
        sql`update outbox set created_at = now() + interval '1 hour' where aggregate_id = 'future'`,
      )
    })
    await waitUntilPublished(database)
    await other.close()
    const last = (await readStream(relay)).at(-1)
    expect(last?.aggregateId).toBe('future')
  })

  it('waits longer after each failure, although new events arrive', async () => {
    let attempts = 0
    const failing: Database = {
      ...database,
      transaction: () => {
        attempts += 1
        return Promise.reject(new Error('no batch'))
      },
    }
    const relay = startRelay({ ...test, database: failing })
    parts.push(relay)
    await waitFor(async () => attempts > 0 || undefined, 'the first batch')
    for (let n = 0; n < 60; n += 1) await changeThings(database, [`failing ${n}`], 1)
    expect(attempts).toBeLessThan(12)
  })

  it('publishes no event of a rolled-back transaction', async () => {
    const relay = start()
    const before = await lastSequence(relay)
    const work = database.transaction(async (tx) => {
      await publishThing(tx, { id: 'never', version: 1 })
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    await changeThings(database, ['after'], 1)
    await waitUntilPublished(database)
    expect((await readStream(relay, before)).map(({ aggregateId }) => aggregateId)).toEqual(['after'])
  })

  it('publishes all events that 16 writers commit out of order; reading by "position > last" misses some (negative control)', async () => {
    const relay = start()
    const before = await lastSequence(relay)
    const seen = new Set<string>()
    const stopReader = readByPosition(database, seen)
    await Promise.all(
      Array.from({ length: 16 }, async (_, writer) => {
        for (let n = 0; n < 64; n += 1) {
          await database.transaction(async (tx) => {
            await publishThing(tx, { id: `${writer}-${n}`, version: 1 })
            // Makes some transactions slower between insert and commit.
            if (n % 3 === writer % 3) tx.enqueueBeforeCommit(sql`select pg_sleep(0.002)`)
          })
        }
      }),
    )
    await waitUntilPublished(database)
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
          await database.transaction((tx) => publishThing(tx, { id, version }))
        }
      }),
    )
    await waitUntilPublished(database)
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
    await changeThings(database, ['before'], 1)
    await waitUntilPublished(database)
    const before = await lastSequence(relay)
    await setMaxMessageSize(relay, 10_000)
    await database.transaction(async (tx) => {
      await publishThing(tx, { id: 'rejected', version: 1, name: 'x'.repeat(10_000) })
      await publishThing(tx, { id: 'rejected', version: 2 })
      await publishThing(tx, { id: 'other', version: 1 })
    })
    // Events of the same batch, then of a later one.
    await waitUntilThingPublished('other')
    await changeThings(database, ['later'], 1)
    await waitUntilThingPublished('later')
    await setMaxMessageSize(relay, -1)
    await waitUntilPublished(database)
    const sent = (await readStream(relay, before)).map(({ aggregateId, version }) => `${aggregateId} ${version}`)
    expect(sent).toEqual(['other 1', 'later 1', 'rejected 1', 'rejected 2'])

    function waitUntilThingPublished(id: string) {
      const find = sql`select from outbox where aggregate_id = ${id} and published_at is not null`
      return waitFor(async () => (await database.query(find)).length === 1, `${id} to be published`)
    }

    function setMaxMessageSize(from: Parts, bytes: number) {
      return withManager(from.nats, (manager) => manager.streams.update(test.stream, { max_msg_size: bytes }))
    }
  })

  it('publishes a long backlog of one aggregate in order', async () => {
    await database.transaction(async (tx) => {
      for (let version = 1; version <= 520; version += 1) await publishThing(tx, { id: 'backlog', version })
    })
    const relay = start()
    await waitUntilPublished(database)
    const sent = (await readStream(relay)).filter(({ aggregateId }) => aggregateId === 'backlog')
    const versions = sent.map(({ version }) => version)
    expect(versions).toEqual(Array.from({ length: 520 }, (_, n) => n + 1))
  })

  it('publishes events of a process that ended before its own relay did', async () => {
    const relay = start()
    await changeThings(database, ['own'], 1)
    await waitUntilPublished(database)
    const before = await lastSequence(relay)
    const ended = createDatabase({ url: test.url, applicationName: 'ended', log: silentLog })
    await changeThings(ended, thingIds(3, 'orphan'), 1)
    await ended.close()
    await waitUntilPublished(database)
    expect((await readStream(relay, before)).map(({ aggregateId }) => aggregateId).sort()).toEqual(
      thingIds(3, 'orphan'),
    )
  })

  it('publishes all events again after the stream was deleted', async () => {
    const relay = start()
    await changeThings(database, thingIds(50, 'lost'), 1)
    await waitUntilPublished(database)
    await withManager(relay.nats, (manager) => manager.streams.delete(test.stream))
    await changeThings(database, ['fresh'], 1)
    await waitFor(async () => (await lastSequence(relay)) >= 51, 'the events to be published again')
    await waitUntilPublished(database)
    const ids = new Set((await readStream(relay)).map(({ aggregateId }) => aggregateId))
    expect(ids).toEqual(new Set([...thingIds(50, 'lost'), 'fresh']))
  })

  it('publishes more events again than fit one batch', async () => {
    const relay = start()
    await changeThings(database, ['recent'], 1)
    await waitUntilPublished(database)
    await database.query(sql`
      insert into outbox (event_id, service, aggregate, aggregate_id, aggregate_version, verb, type, payload,
        published_at, stream_sequence)
      select gen_random_uuid(), 'things', 'thing', 'many-' || n, 1, 'changed', 'storekeep.things.v1.Thing', '', now(), n
      from generate_series(1, 5500) as n`)
    await withManager(relay.nats, (manager) => manager.streams.delete(test.stream))
    await waitFor(async () => (await lastSequence(relay)) >= 5501, 'the events to be published again', 60_000)
    await waitUntilPublished(database)
    expect(new Set((await readStream(relay)).map(({ id }) => id)).size).toBe(5501)
  })

  it('publishes acknowledged events again that the server has lost', async () => {
    start()
    await changeThings(database, thingIds(40, 'tail'), 1)
    await waitUntilPublished(database)
    await stopAll()
    // As after a power failure that lost the last 13 messages, whose sequences are now used by other events.
    await database.query(sql`
      update outbox set event_id = gen_random_uuid() where event_id in (
        select event_id from outbox order by stream_sequence desc limit 13
      )`)
    const before = await lastSequence(start())
    await waitUntilResent(before)
    const again = await readStream(parts[0] as Parts, before)
    expect(again.length).toBeGreaterThanOrEqual(13)
    expect(again.length).toBeLessThan(32)
    await stopAll()

    async function waitUntilResent(sequence: number): Promise<void> {
      await waitFor(
        async () => (await lastSequence(parts[0] as Parts)) >= sequence + 13,
        'the tail to be published again',
      )
      await waitUntilPublished(database)
    }
  })

  it('publishes the events behind several batches that other relays have claimed', async () => {
    const claimed = 1500
    await database.transaction(async (tx) => {
      for (const id of thingIds(claimed, 'claimed')) await publishThing(tx, { id, version: 1 })
    })
    await onServer(test.adminUrl, async (other) => {
      await other.query('begin')
      await other.query(`select from ${test.schema}.outbox for update`)
      start()
      await changeThings(database, ['behind'], 1)
      await waitFor(async () => {
        const [row] = await database.query(sql`select published_at as at from outbox where aggregate_id = 'behind'`)
        return row?.at !== null
      }, 'the event behind them to be published')
    })
    await waitUntilPublished(database)
  })

  it('publishes events behind a whole batch of oversized ones', async () => {
    // Generated in Postgres, which compresses it, so that no megabytes are sent.
    for (let inserted = 0; inserted < 256; inserted += 16) {
      await database.query(sql`
        insert into outbox (event_id, service, aggregate, aggregate_id, aggregate_version, verb, type, payload)
        select gen_random_uuid(), 'things', 'thing', id, 1, 'changed', 'storekeep.things.v1.Thing', payload
        from unnest(${thingIds(256, 'long').slice(inserted, inserted + 16)}::text[]) as id,
          (select decode(repeat('00', 1024 * 1024), 'hex') as payload) as oversized`)
    }
    await changeThings(database, ['behind', 'long-1'], 2)
    const relay = start()
    await waitFor(async () => (await waiting()) === 256, 'the others to be published')
    expect(await metricValue(relay.metrics, 'outbox_oversized_events')).toBe(256)

    async function waiting(): Promise<number> {
      return (await database.query(sql`select from outbox where published_at is null`)).length
    }
  })

  it('never gets an event that exceeds the default max_payload', async () => {
    const publish = (bytes: number) =>
      database.transaction((tx) => publishThing(tx, { id: `of-${bytes}`, version: 1, name: 'x'.repeat(bytes) }))
    await expect(publish(1024 * 1024)).rejects.toThrow('too long to publish')
    await publish(1024 * 1024 - 5000)
    start()
    await waitUntilPublished(database)
  })

  it('exports the age of the oldest unpublished event', async () => {
    await database.transaction((tx) => publishThing(tx, { id: 'old', version: 1 }))
    await database.query(sql`update outbox set created_at = now() - interval '90 seconds'`)
    const relay = startRelay(test, 'nats://127.0.0.1:1')
    expect(await metricValue(relay.metrics, 'outbox_oldest_event_age_seconds')).toBeGreaterThanOrEqual(90)
    await relay.stop()
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
