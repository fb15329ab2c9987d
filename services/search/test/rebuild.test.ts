import { faultOf, operator, randomId, withApiKey } from '@storekeep/common/testing'
import { BanDeletedSchema } from '@storekeep/proto/bans/v1/events'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { CustomerSchema } from '@storekeep/proto/customers/v1/customer'
import { CustomerUpdatedSchema } from '@storekeep/proto/customers/v1/events'
import { type Rebuild, RebuildState } from '@storekeep/proto/search/v1/search_service'
import sql from 'sql-template-tag'
import { afterEach, describe, expect, it } from 'vitest'
import { countsOf, idsOf, inStore, live, settled, until, useSearch } from './harness.ts'
import { index, own, retell, tellNew } from './records.ts'

const search = useSearch()
const { owners } = search
const patient = operator({ deadlineMs: 30_000 })
afterEach(() => {
  Object.assign(owners, { away: false, pageSize: 1000, beforeAnswer: async () => {} })
})

async function rebuild(): Promise<Rebuild> {
  const { rebuild: begun } = await search.client.startRebuild({}, operator())
  return await ended(begun?.id ?? '')
}

async function ended(rebuildId: string): Promise<Rebuild> {
  return await until(async () => {
    const { rebuild: now } = await search.client.getRebuild({ rebuildId }, operator())
    return now?.state === RebuildState.RUNNING ? undefined : now
  })
}

const find = async (storeId: string, query = '') => idsOf(await search.client.search({ query }, inStore(storeId)))

describe('a rebuild', () => {
  it('begins by itself where there is no index, and finds what no event tells of any more', async () => {
    await live(search)
    const storeId = randomId()
    const customer = own(owners, 'customer', storeId, { name: 'Robin' })
    const { state, parts, filledAt, finishedAt } = await rebuild()
    expect(state).toBe(RebuildState.LIVE)
    expect(filledAt && finishedAt).toBeDefined()
    expect(parts.find(({ aggregate }) => aggregate === 'customer')).toMatchObject({ drifted: 0n })
    expect(parts).toHaveLength(7)
    expect(await find(storeId, 'robin')).toEqual([customer.id])
    expect(countsOf(await search.client.search({}, inStore(storeId)))).toEqual({ 1: 1 })
  })

  it('drops what its owner no longer has, and the table of the old index', async () => {
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

  it('has every change that happens meanwhile, and searches never fail', async () => {
    const storeId = randomId()
    const made = Array.from({ length: 30 }, (_, n) => own(owners, 'customer', storeId, { name: `Robin ${n}` }))
    const bans = Array.from({ length: 10 }, (_, n) => own(owners, 'ban', storeId, { reason: `Robin ${n}` }))
    for (const ban of bans) await retell(search, 'ban', ban)
    for (const customer of made) await retell(search, 'customer', customer)
    await settled(search)
    owners.pageSize = 5
    let page = 0
    // Between two pages: some are changed, one is made and one is deleted, and the events come before the page does.
    owners.beforeAnswer = async () => {
      page += 1
      const [changed, gone] = [made[page % made.length], bans[page % bans.length]]
      if (!changed || !gone || page > 20) return
      Object.assign(changed, { name: `Marian ${page}`, version: changed.version + 1n })
      owners.put('customer', CustomerSchema, changed)
      await retell(search, 'customer', changed, CustomerUpdatedSchema)
      await tellNew(search, 'customer', storeId, { name: 'Robin the new' })
      owners.remove('ban', gone.id)
      await retell(search, 'ban', { ...gone, version: gone.version + 10n }, BanDeletedSchema)
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
    const { drifted } = await search.client.verifyRecords({ aggregate: 'customer' }, patient)
    expect(drifted).toBe(0n)
    expect((await search.client.verifyRecords({ aggregate: 'ban' }, patient)).drifted).toBe(0n)
  })

  it('waits for an owner that is away, saying so, and one that is running is not begun again', async () => {
    owners.away = true
    const { rebuild: begun } = await search.client.startRebuild({}, operator())
    const { rebuild: again } = await search.client.startRebuild({}, operator())
    expect(again?.id).toBe(begun?.id)
    const problem = await until(async () => {
      const { rebuild: now } = await search.client.getRebuild({ rebuildId: begun?.id ?? '' }, operator())
      return now?.problem
    })
    expect(problem).toContain('unavailable')
    owners.away = false
    const { state, problem: none } = await ended(begun?.id ?? '')
    expect([state, none]).toEqual([RebuildState.LIVE, undefined])
  })

  it('whose worker died is taken over by another one', async () => {
    const storeId = randomId()
    for (let n = 0; n < 10; n += 1) own(owners, 'customer', storeId, { name: `Robin ${n}` })
    owners.pageSize = 2
    owners.away = true
    const { rebuild: begun } = await search.client.startRebuild({}, operator())
    // What a worker that was killed leaves is its lease.
    await search.database.query(sql`
      update generation set leased_by = gen_random_uuid(), leased_until = now() + interval '2 seconds'
      where id = ${begun?.id ?? ''}`)
    owners.away = false
    const { state } = await ended(begun?.id ?? '')
    expect(state).toBe(RebuildState.LIVE)
    expect(await find(storeId)).toHaveLength(10)
  })

  it('that cannot read a record fails, says why, and leaves the index as it is', async () => {
    const storeId = randomId()
    const customer = await tellNew(search, 'customer', storeId, { name: 'Robin' })
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

  it('is for the operator alone', async () => {
    const calls = (options: ReturnType<typeof withApiKey>) => [
      search.client.startRebuild({}, options),
      search.client.getRebuild({ rebuildId: '1' }, options),
      search.client.verifyRecords({ aggregate: 'ban' }, options),
    ]
    for (const type of [ActorType.API_KEY, ActorType.CUSTOMER, ActorType.ANONYMOUS]) {
      for (const call of calls({ ...withApiKey(randomId()), actor: { type } })) {
        expect(await faultOf(call)).toMatchObject({ code: 'forbidden' })
      }
    }
    for (const rebuildId of ['999', 'x', '']) {
      const call = search.client.getRebuild({ rebuildId }, operator())
      expect(await faultOf(call)).toMatchObject({ code: 'not-found' })
    }
  })
})
