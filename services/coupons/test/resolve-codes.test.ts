import { randomId, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestCoupon, inStore, useCoupons } from './harness.ts'

const coupons = useCoupons()

describe('ResolveCodes', () => {
  it('finds the coupon of each code, in the order of the request and however it was typed', async () => {
    const options = inStore()
    const one = await createTestCoupon(coupons, options, { code: 'SUMMER' })
    const other = await createTestCoupon(coupons, options, { code: 'Ärger' })
    await createTestCoupon(coupons, inStore(), { code: 'winter' })
    const codes = ['winter', ' summer', 'A\u0308RGER', '', 'Summer']
    const answer = await coupons.client.resolveCodes({ codes }, options)
    expect(answer.codes.map(({ coupon }) => coupon)).toEqual([undefined, one, other, undefined, one])
    expect(answer.coupon).toBeUndefined()
  })

  it('finds coupons that nobody may use: that is for the caller to judge', async () => {
    const options = inStore()
    const off = await createTestCoupon(coupons, options, { enabled: false })
    expect((await coupons.client.resolveCodes({ codes: [off.code] }, options)).codes[0]?.coupon).toEqual(off)
  })

  it('finds a coupon by its id, in its store', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const resolve = async (couponId: string, as = options) =>
      (await coupons.client.resolveCodes({ couponId }, as)).coupon
    expect(await resolve(coupon.id)).toEqual(coupon)
    expect(await resolve(randomId())).toBeUndefined()
    expect(await resolve(coupon.id, inStore())).toBeUndefined()
  })

  it('takes 20 codes, and no more', async () => {
    const ask = (count: number) => coupons.client.resolveCodes({ codes: Array(count).fill('x') }, inStore())
    expect((await ask(20)).codes).toHaveLength(20)
    expect(await violationsOf(ask(21))).toEqual(['codes length'])
    expect(await violationsOf(coupons.client.resolveCodes({ couponId: 'x' }, inStore()))).toEqual(['coupon_id format'])
  })
})
