import { faultOf, operator, randomId, until } from '@storekeep/common/testing'
import { BanDeletedSchema } from '@storekeep/proto/bans/v1/events'
import { CustomerSchema } from '@storekeep/proto/customers/v1/customer'
import { CustomerUpdatedSchema } from '@storekeep/proto/customers/v1/events'
import { type Rebuild, RebuildState } from '@storekeep/proto/search/v1/search_service'
import sql from 'sql-template-tag'
import { afterEach, describe, expect, it } from 'vitest'
import { countsOf, idsOf, inStore, live, settled, useSearch } from './harness.ts'
import { index, own, publishAgain, publishNew } from './records.ts'

const search = useSearch()
const { owners } = search
const patient = operator({ deadlineMs: 60_000 })
afterEach(() => {
  Object.assign(owners, { isUnavailable: false, pageSize: 1000, afterRead: async () => {} })
})

async function rebuild(): Promise<Rebuild> {
  const { rebuild: started } = await search.client.startRebuild({}, operator())
  return await ended(started?.id ?? '')
}

async function ended(rebuildId: string): Promise<Rebuild> {
  return await until(async () => {
    const { rebuild: now } = await search.client.getRebuild({ rebuildId }, operator())
    return now?.state === RebuildState.RUNNING ? undefined : now
  })
}

const find = async (storeId: string, query = '') => idsOf(await search.client.search({ query }, inStore(storeId)))

describe('a rebuild', () => {
  it('starts by itself when there is no index, and contains records without events', async () => {
    await live(search)
    const storeId = randomId()
    const customer = own(owners, 'customer', storeId, { name: 'Robin' })
    const { state, parts, filledAt, finishedAt } = await rebuild()
    expect(state).toBe(RebuildState.LIVE)
    expect(filledAt && finishedAt).toBeDefined()
    expect(parts.find(({ aggregate }) => aggregate === 'customer')).toMatchObject({ drifted: 0n })
    expect(parts).toHaveLength(10)
    expect(await find(storeId, 'robin')).toEqual([customer.id])
    expect(countsOf(await search.client.search({}, inStore(storeId)))).toEqual({ 1: 1 })
  })

  it('drops records that their owner no longer has, and the table of the old index', async () => {
    const storeId = randomId()
    const old = await live(search)
    const stale = own(owners, 'customer', storeId, { name: 'Stale' })
    await index(search, old, 'customer', stale)
    owners.remove('customer', stale.id)
    expect(await find(storeId)).toEqual([stale.id])
    await rebuild()
    expect(await find(storeId)).toEqual([])
    await until(async () => {
      const [row] = await search.database.query<{ name: string | null }>(
        sql`select to_regclass(${`document_${old}`})::text as name`,
      )
      return row?.name === null || undefined
    })
    const counts = await search.database.query(sql`select from document_count where generation = ${old}`)
    expect(counts).toEqual([])
  })

  it('contains every change that happens meanwhile, also to records already read, while searches succeed', async () => {
    const storeId = randomId()
    const customers = Array.from({ length: 30 }, (_, n) => own(owners, 'customer', storeId, { name: `Robin ${n}` }))
    const bans = Array.from({ length: 10 }, (_, n) => own(owners, 'ban', storeId, { reason: `Robin ${n}` }))
    for (const ban of bans) await publishAgain(search, 'ban', ban)
    for (const customer of customers) await publishAgain(search, 'customer', customer)
    await settled(search)
    owners.pageSize = 5
    const unchanged = new Set([...customers, ...bans].map(({ id }) => id))
    const created: string[] = []
    // Updates or deletes the records of each page, so that their events are applied before the old page is written.
    owners.afterRead = async (ids) => {
      const read = ids.filter((id) => unchanged.delete(id))
      if (read.length === 0) return
      for (const customer of customers.filter(({ id }) => read.includes(id))) {
        Object.assign(customer, { name: 'Marian', version: 2n })
        owners.put('customer', CustomerSchema, customer)
        await publishAgain(search, 'customer', customer, CustomerUpdatedSchema)
      }
      for (const ban of bans.filter(({ id }) => read.includes(id))) {
        owners.remove('ban', ban.id)
        await publishAgain(search, 'ban', { ...ban, version: 2n }, BanDeletedSchema)
      }
      created.push((await publishNew(search, 'customer', storeId, { name: 'Robin the new' })).id)
      await settled(search)
    }
    let isOver = false
    const searching = (async () => {
      let searches = 0
      while (!isOver) {
        await search.client.search({ query: 'robin' }, inStore(storeId))
        searches += 1
      }
      return searches
    })()
    const { state, parts } = await rebuild()
    isOver = true
    expect(await searching).toBeGreaterThan(5)
    expect([state, parts.reduce((sum, { drifted }) => sum + drifted, 0n)]).toEqual([RebuildState.LIVE, 0n])
    await settled(search)
    expect(unchanged.size).toBe(0)
    expect((await find(storeId, 'robin')).sort()).toEqual(created.sort())
    expect(countsOf(await search.client.search({}, inStore(storeId)))).toEqual({ 1: 30 + created.length })
    const { drifted } = await search.client.verifyRecords({ aggregate: 'customer' }, patient)
    expect(drifted).toBe(0n)
    expect((await search.client.verifyRecords({ aggregate: 'ban' }, patient)).drifted).toBe(0n)
  })

  it('replacing the index during its verification voids the result: the new index is verified', async () => {
    await live(search)
    own(owners, 'customer', randomId(), { name: 'Only the new index has it' })
    owners.afterRead = async () => {
      owners.afterRead = async () => {}
      await rebuild()
    }
    const { drifted } = await search.client.verifyRecords({ aggregate: 'customer' }, patient)
    expect(drifted).toBe(0n)
  })

  it('clears the drift that another replica has found in the old index, in the metrics of every replica', async () => {
    const generation = await live(search)
    await search.database.query(sql`
      update generation_part set drifted = 7 where generation = ${generation} and aggregate = 'ban'`)
    const driftIs = (drifted: number) =>
      until(async () => {
        const text = await (await fetch(`http://127.0.0.1:${search.running.metricsPort}/metrics`)).text()
        const [, value] = /search_index_drift_documents\{[^}]*type="ban"[^}]*\} (\d+)/.exec(text) ?? []
        return Number(value) === drifted || undefined
      })
    await driftIs(7)
    await rebuild()
    await driftIs(0)
  })

  it('waits for an unreachable owner, reports the problem, and is not started twice', async () => {
    owners.isUnavailable = true
    const { rebuild: started } = await search.client.startRebuild({}, operator())
    const { rebuild: again } = await search.client.startRebuild({}, operator())
    expect(again?.id).toBe(started?.id)
    const problem = await until(async () => {
      const { rebuild: now } = await search.client.getRebuild({ rebuildId: started?.id ?? '' }, operator())
      return now?.problem
    })
    expect(problem).toContain('unavailable')
    owners.isUnavailable = false
    const { state, problem: none } = await ended(started?.id ?? '')
    expect([state, none]).toEqual([RebuildState.LIVE, undefined])
  })

  it('another worker continues the rebuild of a worker that died', async () => {
    const storeId = randomId()
    for (let n = 0; n < 10; n += 1) own(owners, 'customer', storeId, { name: `Robin ${n}` })
    owners.pageSize = 2
    owners.isUnavailable = true
    const { rebuild: started } = await search.client.startRebuild({}, operator())
    // A killed worker leaves its lease behind.
    await search.database.query(sql`
      update generation set leased_by = gen_random_uuid(), leased_until = now() + interval '2 seconds'
      where id = ${started?.id ?? ''}`)
    owners.isUnavailable = false
    const { state } = await ended(started?.id ?? '')
    expect(state).toBe(RebuildState.LIVE)
    expect(await find(storeId)).toHaveLength(10)
  })

  it('a record that cannot be decoded fails the rebuild with the reason and leaves the index unchanged', async () => {
    const storeId = randomId()
    const customer = await publishNew(search, 'customer', storeId, { name: 'Robin' })
    await settled(search)
    const before = await live(search)
    owners.putBytes('ban', storeId, Buffer.from([0xff]))
    const { state, problem } = await rebuild()
    owners.removeBytes()
    expect(state).toBe(RebuildState.FAILED)
    expect(problem).toBeTruthy()
    expect(await live(search)).toBe(before)
    expect(await find(storeId)).toEqual([customer.id])
  })

  it('is not found by an unknown id', async () => {
    for (const rebuildId of ['999', 'x', '']) {
      const call = search.client.getRebuild({ rebuildId }, operator())
      expect(await faultOf(call)).toMatchObject({ code: 'not-found' })
    }
  })
})
