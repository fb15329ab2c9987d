import { faultOf, randomId, useServerProxies } from '@storekeep/common/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { idsOf, inStore, live, settled, useSearch } from './harness.ts'
import { publishNew } from './records.ts'

const servers = useServerProxies()
const search = useSearch({ change: servers.between })
beforeAll(() => live(search))

describe('without Postgres', () => {
  it.each(['cut', 'stall'] as const)('searches fail with service-unavailable and recover (%s)', async (how) => {
    const options = inStore(randomId(), { deadlineMs: 4000 })
    const find = () => search.client.search({ query: 'robin' }, options)
    expect(idsOf(await find())).toEqual([])
    servers.postgres[how]()
    expect(await faultOf(find())).toMatchObject({
      code: 'service-unavailable',
      retryAfterSeconds: expect.any(Number),
    })
    servers.postgres.pass()
    await expect.poll(() => find().then(idsOf, () => 'unavailable'), { timeout: 60_000 }).toEqual([])
  })
})

describe('without NATS', () => {
  it('searches succeed, and events published meanwhile are applied when NATS is back', async () => {
    const storeId = randomId()
    const known = await publishNew(search, 'customer', storeId, { name: 'Robin' })
    await settled(search)
    servers.nats.cut()
    const late = await publishNew(search, 'customer', storeId, { name: 'Robin' })
    const find = async () => idsOf(await search.client.search({ query: 'robin' }, inStore(storeId)))
    expect(await find()).toEqual([known.id])
    servers.nats.pass()
    await settled(search)
    expect((await find()).sort()).toEqual([known.id, late.id].sort())
  })
})

describe('without the owners', () => {
  it('searches succeed', async () => {
    const storeId = randomId()
    const customer = await publishNew(search, 'customer', storeId, { name: 'Robin' })
    await settled(search)
    search.owners.isUnavailable = true
    expect(idsOf(await search.client.search({ query: 'robin' }, inStore(storeId)))).toEqual([customer.id])
  })
})
