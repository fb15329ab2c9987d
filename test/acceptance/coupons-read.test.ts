import { type CouponBody, type CustomerBody, expectFault, fresh, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { beforeAll, describe, expect, it } from 'vitest'
import { newCoupon } from './coupon-input.ts'

const { createStore } = await useSharedSystem()

describe('GET /coupons/{couponId}', () => {
  it('returns 404 for the coupon of another store', async () => {
    const [store, other] = await Promise.all([createStore(), createStore()])
    const { body } = await other.post<CouponBody>('/coupons', newCoupon())
    expect((await other.get(`/coupons/${body.id}`)).body).toEqual(body)
    expectFault(await store.get(`/coupons/${body.id}`), 'not-found')
    expectFault(await store.get(`/coupons/${unknownId}`), 'not-found')
  })

  it.each(['0', '-1', '01', '9223372036854775808', 'abc', '%00'])('rejects the malformed id %s', async (id) => {
    const store = await createStore()
    expect((await store.get(`/coupons/${id}`)).status).toBe(400)
  })
})

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

  it('returns the coupons of the store, newest first, or oldest first with asc=true', async () => {
    expect((await store.get('/coupons')).body).toEqual(six.toReversed())
    expect((await store.get('/coupons?asc=true')).body).toEqual(six)
    expect((await (await createStore()).get('/coupons')).body).toEqual([])
  })

  it.each([
    ['after in ascending order', 'asc=true&limit=2&after=#2', [3, 4]],
    ['before in ascending order, nearest first', 'asc=true&limit=2&before=#5', [3, 4]],
    ['both in ascending order', 'asc=true&limit=2&after=#1&before=#5', [2, 3]],
    ['after in descending order', 'limit=2&after=#4', [3, 2]],
    ['before in descending order, nearest first', 'limit=2&before=#1', [3, 2]],
    ['nothing beyond the end', 'after=#0', []],
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
    const { headers } = await store.get('/coupons?status=active&limit=1')
    const query = /\?([^>]+)>; rel="next"/.exec(String(headers.link))?.[1] ?? ''
    expect(query).toContain('status=active')
    expect(await list(query)).toEqual([2])
    expect((await store.get('/coupons')).headers.link).toBeUndefined()
  })

  it.each([
    ['limit=0', 'limit min'],
    ['limit=101', 'limit max'],
    ['limit=x', 'limit type'],
    ['after=x', 'after format'],
    ['asc=yes', 'asc enum'],
    ['status=enabled', 'status enum'],
    ['type=internal', 'type enum'],
    ['usable_by_customer_id=x', 'usable_by_customer_id format'],
    ['state=active', 'state'],
  ])('rejects %s', async (query, item) => {
    expectFault(await store.get(`/coupons?${query}`), 'validation-failed', [item])
  })

  /** The listed coupons as indexes into `six`. */
  async function list(query: string): Promise<number[]> {
    const filled = query.replace('#customer', customerId).replace(/#(\d)/g, (_, index) => six[index]?.id ?? '')
    const { status, body, text } = await store.get<CouponBody[]>(`/coupons?${filled}`)
    expect(status, text).toBe(200)
    return body.map(({ id }) => six.findIndex((one) => one.id === id))
  }
})
