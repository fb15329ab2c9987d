import { faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestCoupon, inStore, useCoupons } from './harness.ts'

const coupons = useCoupons()
const get = (couponId: string, options = inStore()) => coupons.client.getCoupon({ couponId }, options)

describe('GetCoupon', () => {
  it('returns the coupon', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    expect((await get(coupon.id, options)).coupon).toEqual(coupon)
  })

  it('returns not-found for an unknown id', async () => {
    expect(await faultOf(get(randomId()))).toMatchObject({ code: 'not-found' })
  })

  it('returns not-found for a coupon of another store', async () => {
    const { id } = await createTestCoupon(coupons, inStore())
    expect(await faultOf(get(id))).toMatchObject({ code: 'not-found' })
  })

  it.each(['x', '0', '01', '-1', '9223372036854775808'])('rejects the malformed id %j', async (id) => {
    expect(await violationsOf(get(id))).toEqual(['coupon_id format'])
  })
})
