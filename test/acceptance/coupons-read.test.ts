import { type CouponBody, type CustomerBody, fresh, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { beforeAll, describe, expect, it } from 'vitest'
import { newCoupon } from './coupon-input.ts'
import { listByLinks, listIndexes, pagesOfSix } from './lists.ts'

const { createStore } = await useSharedSystem()

describe('GET /coupons', () => {
  const six: CouponBody[] = []
  let store: Awaited<ReturnType<typeof createStore>>
  let customerId: string
  const hoursFromNow = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()

  beforeAll(async () => {
    store = await createStore()
    customerId = (await store.post<CustomerBody>('/customers', { name: fresh.name() })).body.id
    const changes = [
      {},
      { enabled: false },
      { usable_at: hoursFromNow(-1), expires_at: hoursFromNow(1), usable_by_customer_id: customerId },
      { usable_at: hoursFromNow(1) },
      { expires_at: hoursFromNow(-1), usable_by_customer_id: customerId },
      { usable_at: hoursFromNow(-1) },
    ]
    for (const change of changes) six.push((await store.post<CouponBody>('/coupons', newCoupon(change))).body)
    await (await createStore()).post('/coupons', newCoupon())
  })

  const list = (query: string) => listIndexes(store, '/coupons', six, query.replace('#customer', customerId))

  it('returns the coupons of the store, newest first, or oldest first with asc=true', async () => {
    expect((await store.get('/coupons')).body).toEqual(six.toReversed())
    expect((await store.get('/coupons?asc=true')).body).toEqual(six)
    expect((await (await createStore()).get('/coupons')).body).toEqual([])
  })

  it.each([
    ...pagesOfSix,
    ['an unknown id', `after=${unknownId}&limit=1`, [5]],
    ['all', 'status=all&type=all', [5, 4, 3, 2, 1, 0]],
    ['active ones', 'status=active', [5, 2, 0]],
    ['inactive ones', 'status=inactive', [4, 3, 1]],
    ['manual ones', 'type=manual', [5, 4, 3, 2, 1, 0]],
    ['generated ones', 'type=generated', []],
    ['coupons for a customer', 'usable_by_customer_id=#customer', [4, 2]],
    ['coupons for a customer who has none', `usable_by_customer_id=${unknownId}`, []],
    ['all filters', 'usable_by_customer_id=#customer&status=active&type=manual', [2]],
    ['a filter, by pages', 'status=inactive&limit=1&after=#4', [3]],
    ['a filter with pages, backwards', 'status=active&asc=true&limit=1&before=#5', [2]],
  ])('pages and filters: %s', async (_what, query, expected) => {
    expect(await list(query)).toEqual(expected)
  })

  it('reflects in the status filter a change that makes a coupon inactive', async () => {
    const own = await createStore()
    const { body } = await own.post<CouponBody>('/coupons', newCoupon())
    const active = async () => (await own.get<CouponBody[]>('/coupons?status=active')).body.map(({ id }) => id)
    expect(await active()).toEqual([body.id])
    await own.patch(`/coupons/${body.id}`, { enabled: false })
    expect(await active()).toEqual([])
    await own.patch(`/coupons/${body.id}`, { enabled: true, expires_at: hoursFromNow(-1) })
    expect(await active()).toEqual([])
    await own.patch(`/coupons/${body.id}`, { expires_at: null })
    expect(await active()).toEqual([body.id])
  })

  it('keeps the filters in the Link header', async () => {
    expect(await listByLinks(store, '/coupons', six, 'status=active&limit=1')).toEqual([5, 2, 0])
    expect((await store.get('/coupons')).headers.link).toBeUndefined()
  })
})
