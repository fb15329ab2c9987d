import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { randomId, violationsOf } from '@storekeep/common/testing'
import {
  type ListCouponsRequestSchema,
  CouponStatusFilter as Status,
  CouponTypeFilter as Type,
} from '@storekeep/proto/coupons/v1/coupons_service'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestCoupon, type Input, inStore, useCoupons } from './harness.ts'

const coupons = useCoupons()
const options = inStore()
const hours = (count: number) => timestampFromDate(new Date(coupons.clock.now().getTime() + count * 3_600_000))
let customerId: string
let ids: string[]

beforeAll(async () => {
  customerId = coupons.customers.add(options.storeId)
  const inputs: { input: Input; generated?: true }[] = [
    { input: {} },
    { input: { enabled: false }, generated: true },
    { input: { usableAt: hours(-1), expiresAt: hours(1), usableByCustomerId: customerId } },
    { input: { usableAt: hours(1) } },
    { input: { expiresAt: hours(-1), usableByCustomerId: customerId }, generated: true },
    { input: {}, generated: true },
  ]
  ids = []
  for (const { input, generated } of inputs) {
    const { id } = await createTestCoupon(coupons, options, input)
    // No process may create a coupon in Storekeep's own name yet.
    if (generated) await coupons.database.query(sql`update coupon set created_by = 'internal' where id = ${id}`)
    ids.push(id)
  }
  await createTestCoupon(coupons, inStore())
})

type Request = MessageInitShape<typeof ListCouponsRequestSchema>

/** The listed coupons as indexes into `inputs`. */
async function list(request: Request): Promise<number[]> {
  const response = await coupons.client.listCoupons(request, options)
  return response.coupons.map(({ id }) => ids.indexOf(id))
}

describe('ListCoupons', () => {
  it('returns the coupons of the store and no other, newest first, as GetCoupon does', async () => {
    expect(await list({})).toEqual([5, 4, 3, 2, 1, 0])
    const { coupons: listed } = await coupons.client.listCoupons({ page: { limit: 50, asc: true } }, options)
    const single = ids.map(async (couponId) => (await coupons.client.getCoupon({ couponId }, options)).coupon)
    expect(listed).toEqual(await Promise.all(single))
    expect((await coupons.client.listCoupons({}, inStore())).coupons).toEqual([])
  })

  it('pages in both directions and reports whether more items exist', async () => {
    const page = async (request: Request['page']) => {
      const response = await coupons.client.listCoupons({ page: request }, options)
      return [response.coupons.map(({ id }) => ids.indexOf(id)), response.page?.hasPrevious, response.page?.hasNext]
    }
    expect(await page({ limit: 2 })).toEqual([[5, 4], false, true])
    expect(await page({ limit: 2, after: ids[4] })).toEqual([[3, 2], true, true])
    expect(await page({ limit: 1, before: ids[1] })).toEqual([[2], true, true])
    expect(await page({ limit: 2, asc: true, after: ids[0] })).toEqual([[1, 2], true, true])
    expect(await page({ limit: 9, after: ids[3], before: ids[0] })).toEqual([[2, 1], false, false])
  })

  it.each<[string, () => Request, number[]]>([
    ['active coupons', () => ({ status: Status.ACTIVE }), [5, 2, 0]],
    ['inactive coupons', () => ({ status: Status.INACTIVE }), [4, 3, 1]],
    ['manual coupons', () => ({ type: Type.MANUAL }), [3, 2, 0]],
    ['generated coupons', () => ({ type: Type.GENERATED }), [5, 4, 1]],
    ['coupons for a customer', () => ({ usableByCustomerId: customerId }), [4, 2]],
    ['coupons for a customer who has none', () => ({ usableByCustomerId: randomId() }), []],
    ['active generated coupons', () => ({ status: Status.ACTIVE, type: Type.GENERATED }), [5]],
    ['inactive coupons for a customer', () => ({ status: Status.INACTIVE, usableByCustomerId: customerId }), [4]],
    [
      'a page of active manual coupons',
      () => ({ status: Status.ACTIVE, type: Type.MANUAL, page: { limit: 1, asc: true, after: ids[0] } }),
      [2],
    ],
  ])('can be restricted to %s', async (_what, request, expected) => {
    expect(await list(request())).toEqual(expected)
  })

  it('decides by the current time which coupons are active', async () => {
    const elsewhere = inStore()
    const short = await createTestCoupon(coupons, elsewhere, { expiresAt: hours(1) })
    const late = await createTestCoupon(coupons, elsewhere, { usableAt: hours(1) })
    const active = async () => {
      const response = await coupons.client.listCoupons({ status: Status.ACTIVE }, elsewhere)
      return response.coupons.map(({ id }) => id)
    }
    expect(await active()).toEqual([short.id])
    coupons.clock.advance(3_600_000)
    expect(await active()).toEqual([late.id])
  })

  it('rejects invalid pages and customer ids', async () => {
    expect(await violationsOf(list({ page: { limit: 0 } }))).toEqual(['limit min'])
    expect(await violationsOf(list({ usableByCustomerId: 'x' }))).toEqual(['usable_by_customer_id format'])
  })
})
