import type { ServiceFault } from '@storekeep/common/errors'
import { faultOf, randomId } from '@storekeep/common/testing'
import { CouponDuration } from '@storekeep/proto/coupons/v1/coupon'
import { describe, expect, it } from 'vitest'
import { createTestSession, inline, newBuyer, ofProduct, type Request, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
const { coupons } = checkouts.others
const subscription = { allowSubscription: true, subscriptionIntervalValue: 1, subscriptionIntervalScale: 3 } as const

/** "path code" of each violation. */
async function rejectionsOf(request: Request) {
  const { options, customerId } = newBuyer(checkouts)
  const call = checkouts.client.createCheckoutSession({ customerId, lines: [inline()], ...request }, options)
  const { violations } = (await faultOf(call)) as ServiceFault
  return violations.map(({ path, code }) => `${path} ${code}`)
}

describe('the codes of an order', () => {
  it('are sent to coupons with the priced lines', async () => {
    const buyer = newBuyer(checkouts)
    const tagged = { tags: ['7'], isCouponsDisabled: true, isAffiliateLinksDisabled: true, price: 250n }
    const productId = await checkouts.addProduct(buyer.options, tagged)
    const couponId = coupons.add()
    const promoCodes = [coupons.addLink()]
    const lines = [ofProduct(productId, { quantity: 3 }), inline(subscription, { subscription: true })]
    const session = await createTestSession(checkouts, buyer, { lines, couponId, promoCodes, affiliateCode: 'x' })
    const request = coupons.requests.at(-1)
    expect(request).toMatchObject({
      checkoutId: session.id,
      customerId: buyer.customerId,
      couponId,
      promoCodes,
      affiliateCode: 'x',
      validateOnly: false,
      lines: [
        { productId, tags: ['7'], quantity: 3, amount: 750n, isCouponsDisabled: true, isAffiliateLinksDisabled: true },
        { tags: [], quantity: 1, amount: 1000n, subscription: true, isCouponsDisabled: false },
      ],
    })
    expect(request?.lines[1]?.productId).toBeUndefined()
    // The reservation outlives the session by a minute.
    expect(Number(request?.expiresAt?.seconds) - Number(session.expiresAt?.seconds)).toBe(60)
  })

  it('reduce lines and order by the discounts that coupons returns', async () => {
    const couponId = coupons.add()
    const link = coupons.addLink(90n)
    const lines = [inline(), inline({ price: 500n }, { quantity: 2 })]
    const session = await createTestSession(checkouts, undefined, { lines, couponId, affiliateCode: link })
    expect(session.lines).toMatchObject([
      { discountAmount: 100n, totalAmount: 900n },
      { discountAmount: 100n, totalAmount: 900n },
    ])
    expect(session).toMatchObject({
      couponId,
      couponVersionId: '7',
      affiliateLinkId: coupons.linkId(link),
      subtotalAmount: 2000n,
      couponDiscountAmount: 200n,
      affiliateDiscountAmount: 90n,
      discountAmount: 290n,
      totalAmount: 1710n,
    })
  })

  it('say how many periods of a subscription the coupon discounts', async () => {
    const lines = [inline(), inline(subscription, { subscription: true })]
    const terms = async (request: object) =>
      (await createTestSession(checkouts, undefined, { lines, ...request })).subscription
    const month = { intervalValue: 1, intervalScale: 3 }
    const { discountedPeriods, ...interval } = (await terms({})) ?? {}
    expect(interval).toMatchObject(month)
    expect(discountedPeriods).toBeUndefined()
    expect(await terms({ couponId: coupons.add() })).toMatchObject({ ...month, discountedPeriods: 1 })
    expect(await terms({ couponId: coupons.add({ intervals: 4 }) })).toMatchObject({ ...month, discountedPeriods: 4 })
    expect(await terms({ lines: [inline(subscription)] })).toBeUndefined()
  })

  it('fail the order if the duration of the coupon is unknown, instead of guessing a price', async () => {
    const couponId = coupons.add({ duration: CouponDuration.UNSPECIFIED })
    expect(await faultOf(createTestSession(checkouts, undefined, { couponId }))).toMatchObject({
      code: 'internal-error',
    })
  })

  it('are not sent without codes', async () => {
    const requests = coupons.requests.length
    coupons.outage = 'unavailable'
    const session = await createTestSession(checkouts).finally(() => {
      coupons.outage = 'none'
    })
    expect(session.couponId ?? session.affiliateLinkId).toBeUndefined()
    expect(coupons.requests).toHaveLength(requests)
  })

  it('are rejected with the path and the item code that coupons returns', async () => {
    const couponId = coupons.add({ rejection: 'coupon-expired' })
    expect(await rejectionsOf({ couponId })).toEqual(['coupon_id coupon-expired'])
    const promoCodes = ['unknown', coupons.codeOf(couponId)]
    expect(await rejectionsOf({ promoCodes })).toEqual(['promo_codes.0 reference', 'promo_codes.1 coupon-expired'])
    expect(coupons.reservationsOf(couponId)).toEqual({ reserved: 0, confirmed: 0, released: 0 })
  })

  it('are rejected together with all other violations in the order', async () => {
    const couponId = coupons.add({ rejection: 'coupon-expired' })
    const lines = [ofProduct(randomId()), inline({ enabledUntil: { seconds: 0n, nanos: 0 } })]
    const requests = coupons.requests.length
    expect(await rejectionsOf({ lines, couponId, promoCodes: ['unknown'] })).toEqual([
      'lines.0.product_id reference',
      'lines.1.inline_product reference',
      'coupon_id coupon-expired',
      'promo_codes.0 reference',
    ])
    expect(coupons.requests).toHaveLength(requests)
  })

  it.each(['', ' ', 'x'.repeat(1000)])('are ignored as a malformed affiliate code: %j', async (affiliateCode) => {
    const requests = coupons.requests.length
    expect(await createTestSession(checkouts, undefined, { affiliateCode })).toMatchObject({ totalAmount: 1000n })
    expect(coupons.requests).toHaveLength(requests)
  })
})
