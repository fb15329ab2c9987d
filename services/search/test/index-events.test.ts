import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { randomId } from '@storekeep/common/testing'
import { BanDeletedSchema, BanUpdatedSchema } from '@storekeep/proto/bans/v1/events'
import { CustomerUpdatedSchema } from '@storekeep/proto/customers/v1/events'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { countsOf, idsOf, inStore, live, settled, useSearch } from './harness.ts'
import { type RecordOf, retell, tellNew } from './records.ts'

const search = useSearch()
beforeAll(() => live(search))

const find = (storeId: string, query = '') => search.client.search({ query }, inStore(storeId))

describe('the index', () => {
  it('follows the changes of a record', async () => {
    const storeId = randomId()
    const customer = await tellNew(search, 'customer', storeId, { name: 'Robin' })
    await settled(search)
    await retell(search, 'customer', { ...customer, name: 'Marian', version: 2n }, CustomerUpdatedSchema)
    await settled(search)
    expect(idsOf(await find(storeId, 'robin'))).toEqual([])
    expect(idsOf(await find(storeId, 'marian'))).toEqual([customer.id])
  })

  it('has a record once, and counts it once, however often and in whatever order its events come', async () => {
    const storeId = randomId()
    const first = await tellNew(search, 'customer', storeId, { name: 'One' })
    for (const [version, name] of [
      [3n, 'Three'],
      [2n, 'Two'],
      [3n, 'Three'],
      [1n, 'One'],
    ] as const) {
      await retell(search, 'customer', { ...first, name, version }, CustomerUpdatedSchema)
    }
    await settled(search)
    const answer = await find(storeId)
    expect(answer.results.map(({ record }) => (record.value as RecordOf<'customer'>).name)).toEqual(['Three'])
    expect(countsOf(answer)).toEqual({ 1: 1 })
  })

  it('does not bring a deleted record back when a late event tells of it', async () => {
    const storeId = randomId()
    const ban = await tellNew(search, 'ban', storeId, { reason: 'Fraud' })
    await retell(search, 'ban', { ...ban, version: 3n }, BanDeletedSchema)
    await retell(search, 'ban', { ...ban, reason: 'Fraud!', version: 2n }, BanUpdatedSchema)
    await settled(search)
    for (const query of ['', 'fraud', ban.id]) {
      const answer = await find(storeId, query)
      expect([idsOf(answer), countsOf(answer)]).toEqual([[], {}])
    }
  })

  it('is the same after the stream was lost and every event came again', async () => {
    const storeId = randomId()
    const kept = await tellNew(search, 'customer', storeId, { name: 'Robin' })
    const gone = await tellNew(search, 'ban', storeId, { reason: 'Robin' })
    await retell(search, 'ban', { ...gone, version: 2n }, BanDeletedSchema)
    await settled(search)
    const nats = await connect({ servers: search.config.nats.url })
    const manager = await jetstreamManager(nats)
    await manager.streams.delete(search.config.events.stream)
    await expect
      .poll(async () => search.logLines.some((line) => line.includes('publishing them again')), { timeout: 20_000 })
      .toBe(true)
    const late = await tellNew(search, 'customer', storeId, { name: 'Robin the late' })
    await settled(search)
    await expect
      .poll(
        async () => {
          const { streams, consumers } = manager
          const { state } = await streams.info(search.config.events.stream)
          const { num_pending, num_ack_pending } = await consumers.info(search.config.events.stream, 'search-index')
          return state.messages > 0 && num_pending + num_ack_pending === 0
        },
        { timeout: 20_000 },
      )
      .toBe(true)
    await nats.close()
    const answer = await find(storeId, 'robin')
    expect(idsOf(answer).sort()).toEqual([kept.id, late.id].sort())
    expect(countsOf(answer)).toEqual({ 1: 2 })
  })

  it('keeps counts that are those of its documents', async () => {
    const [counted] = await search.database.query<{ same: boolean }>(sql`
      select not exists (
        (select store_id, type, sum(count)::bigint from document_count group by 1, 2 having sum(count) <> 0)
        except
        (select store_id, type, count(*) from document_1 where not deleted group by 1, 2)
      ) as same`)
    expect(counted?.same).toBe(true)
  })

  it('tells how long after a change it is found', async () => {
    const text = await (await fetch(`http://127.0.0.1:${search.running.metricsPort}/metrics`)).text()
    expect(text).toMatch(/search_index_lag_seconds_count\{.*type="customer".*\} [1-9]/)
    expect(text).toContain('consumer_lag_events')
  })
})
