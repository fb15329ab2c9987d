import { eventsOf, faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestCoupon, inStore, useCoupons } from './harness.ts'

const coupons = useCoupons()

describe('DeleteCoupon', () => {
  it('removes the coupon for all readers and frees its code', async () => {
    const options = inStore()
    const { id: couponId, code } = await createTestCoupon(coupons, options)
    await coupons.client.deleteCoupon({ couponId }, options)
    expect(await faultOf(coupons.client.getCoupon({ couponId }, options))).toMatchObject({ code: 'not-found' })
    expect((await coupons.client.listCoupons({}, options)).coupons).toEqual([])
    expect(await faultOf(coupons.client.deleteCoupon({ couponId }, options))).toMatchObject({ code: 'not-found' })
    expect((await createTestCoupon(coupons, options, { code })).code).toBe(code)
  })

  it('keeps its versions', async () => {
    const options = inStore()
    const { id: couponId, versionId } = await createTestCoupon(coupons, options)
    await coupons.client.deleteCoupon({ couponId }, options)
    const versions = await coupons.database.query(sql`select id from coupon_version where coupon_id = ${couponId}`)
    expect(versions).toEqual([{ id: versionId }])
  })

  it('publishes the last state of the coupon, with the next version and who deleted it', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    await coupons.client.deleteCoupon({ couponId: coupon.id }, options)
    expect(await eventsOf(coupons, coupon.id)).toMatchObject([
      { type: 'coupon.created', version: '1' },
      {
        type: 'coupon.deleted',
        version: '2',
        message: { coupon: { ...coupon, version: 2n }, deletedBy: options.actor },
      },
    ])
  })

  it('deletes once for 8 concurrent callers', async () => {
    const options = inStore()
    const { id: couponId } = await createTestCoupon(coupons, options)
    const calls = Array.from({ length: 8 }, () => coupons.client.deleteCoupon({ couponId }, options))
    const settled = await Promise.allSettled(calls)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'not-found' })
    expect(await eventsOf(coupons, couponId)).toHaveLength(2)
  })

  it('returns not-found for an unknown coupon and one of another store', async () => {
    const options = inStore()
    const { id: couponId } = await createTestCoupon(coupons, options)
    expect(await faultOf(coupons.client.deleteCoupon({ couponId }, inStore()))).toMatchObject({ code: 'not-found' })
    const unknown = coupons.client.deleteCoupon({ couponId: randomId() }, options)
    expect(await faultOf(unknown)).toMatchObject({ code: 'not-found' })
    expect(await violationsOf(coupons.client.deleteCoupon({ couponId: 'x' }, options))).toEqual(['coupon_id format'])
    expect((await coupons.client.getCoupon({ couponId }, options)).coupon?.id).toBe(couponId)
  })
})
