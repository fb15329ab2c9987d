import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createDatabase } from '../src/postgres/index.ts'
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
import { silentLog, waitFor } from './harness.ts'
import { useRelays } from './use-relays.ts'

const setup = useRelays()
const { start, stopAll, readStream, lastSequence } = setup

describe('the relay after losses and behind a backlog', () => {
  it('publishes events of a process that ended before its own relay did', async () => {
    const relay = start()
    await changeThings(setup.database, ['own'], 1)
    await waitUntilPublished(setup.database)
    const before = await lastSequence(relay)
    const ended = createDatabase({ url: setup.test.url, applicationName: 'ended', log: silentLog })
    await changeThings(ended, thingIds(3, 'orphan'), 1)
    await ended.close()
    await waitUntilPublished(setup.database)
    expect((await readStream(relay, before)).map(({ aggregateId }) => aggregateId).sort()).toEqual(
      thingIds(3, 'orphan'),
    )
  })

  it('publishes all events again after the stream was deleted', async () => {
    const relay = start()
    await changeThings(setup.database, thingIds(50, 'lost'), 1)
    await waitUntilPublished(setup.database)
    await withManager(relay.nats, (manager) => manager.streams.delete(setup.test.stream))
    await changeThings(setup.database, ['fresh'], 1)
    await waitFor(async () => (await lastSequence(relay)) >= 51, 'the events to be published again')
    await waitUntilPublished(setup.database)
    const ids = new Set((await readStream(relay)).map(({ aggregateId }) => aggregateId))
    expect(ids).toEqual(new Set([...thingIds(50, 'lost'), 'fresh']))
  })

  it('publishes more events again than fit one batch', async () => {
    const relay = start()
    await changeThings(setup.database, ['recent'], 1)
    await waitUntilPublished(setup.database)
    await setup.database.query(sql`
      insert into outbox (event_id, service, aggregate, aggregate_id, aggregate_version, verb, type, payload,
        published_at, stream_sequence)
      select gen_random_uuid(), 'things', 'thing', 'many-' || n, 1, 'changed', 'storekeep.things.v1.Thing', '', now(), n
      from generate_series(1, 5500) as n`)
    await withManager(relay.nats, (manager) => manager.streams.delete(setup.test.stream))
    await waitFor(async () => (await lastSequence(relay)) >= 5501, 'the events to be published again', 60_000)
    await waitUntilPublished(setup.database)
    expect(new Set((await readStream(relay)).map(({ id }) => id)).size).toBe(5501)
  })

  it('publishes acknowledged events again that the server has lost', async () => {
    start()
    await changeThings(setup.database, thingIds(40, 'tail'), 1)
    await waitUntilPublished(setup.database)
    await stopAll()
    // As after a power failure that lost the last 13 messages, whose sequences are now used by other events.
    await setup.database.query(sql`
      update outbox set event_id = gen_random_uuid() where event_id in (
        select event_id from outbox order by stream_sequence desc limit 13
      )`)
    const before = await lastSequence(start())
    await waitUntilResent(before)
    const again = await readStream(setup.parts[0] as Parts, before)
    expect(again.length).toBeGreaterThanOrEqual(13)
    expect(again.length).toBeLessThan(32)
    await stopAll()

    async function waitUntilResent(sequence: number): Promise<void> {
      await waitFor(
        async () => (await lastSequence(setup.parts[0] as Parts)) >= sequence + 13,
        'the tail to be published again',
      )
      await waitUntilPublished(setup.database)
    }
  })

  it('publishes the events behind several batches that other relays have claimed', async () => {
    const claimed = 1500
    await setup.database.transaction(async (tx) => {
      for (const id of thingIds(claimed, 'claimed')) await publishThing(tx, { id, version: 1 })
    })
    await onServer(setup.test.adminUrl, async (other) => {
      await other.query('begin')
      await other.query(`select from ${setup.test.schema}.outbox for update`)
      start()
      await changeThings(setup.database, ['behind'], 1)
      await waitFor(async () => {
        const [row] = await setup.database.query(
          sql`select published_at as at from outbox where aggregate_id = 'behind'`,
        )
        return row?.at !== null
      }, 'the event behind them to be published')
    })
    await waitUntilPublished(setup.database)
  })

  it('publishes events behind a whole batch of oversized ones', async () => {
    // Generated in Postgres, which compresses it, so that no megabytes are sent.
    for (let inserted = 0; inserted < 256; inserted += 16) {
      await setup.database.query(sql`
        insert into outbox (event_id, service, aggregate, aggregate_id, aggregate_version, verb, type, payload)
        select gen_random_uuid(), 'things', 'thing', id, 1, 'changed', 'storekeep.things.v1.Thing', payload
        from unnest(${thingIds(256, 'long').slice(inserted, inserted + 16)}::text[]) as id,
          (select decode(repeat('00', 1024 * 1024), 'hex') as payload) as oversized`)
    }
    await changeThings(setup.database, ['behind', 'long-1'], 2)
    const relay = start()
    await waitFor(async () => (await waiting()) === 256, 'the others to be published')
    expect(await metricValue(relay.metrics, 'outbox_oversized_events')).toBe(256)

    async function waiting(): Promise<number> {
      return (await setup.database.query(sql`select from outbox where published_at is null`)).length
    }
  })

  it('never gets an event that exceeds the default max_payload', async () => {
    const publish = (bytes: number) =>
      setup.database.transaction((tx) => publishThing(tx, { id: `of-${bytes}`, version: 1, name: 'x'.repeat(bytes) }))
    await expect(publish(1024 * 1024)).rejects.toThrow('too long to publish')
    await publish(1024 * 1024 - 5000)
    start()
    await waitUntilPublished(setup.database)
  })

  it('exports the age of the oldest unpublished event', async () => {
    await setup.database.transaction((tx) => publishThing(tx, { id: 'old', version: 1 }))
    await setup.database.query(sql`update outbox set created_at = now() - interval '90 seconds'`)
    const relay = startRelay(setup.test, 'nats://127.0.0.1:1')
    expect(await metricValue(relay.metrics, 'outbox_oldest_event_age_seconds')).toBeGreaterThanOrEqual(90)
    await relay.stop()
  })
})
