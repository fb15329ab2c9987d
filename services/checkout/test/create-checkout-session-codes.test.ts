import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ServiceFault } from '@storekeep/common/errors'
import { faultOf, randomId } from '@storekeep/common/testing'
import { AmountType } from '@storekeep/proto/coupons/v1/affiliate_link'
import { CouponDiscountType } from '@storekeep/proto/coupons/v1/coupon'
import { describe, expect, it } from 'vitest'
import { createTestSession, inline, newBuyer, ofProduct, type Request, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
const { coupons } = checkouts.others

type Buyer = ReturnType<typeof newBuyer>

/** "path code" of everything that is refused about an order of one thing for 10.00. */
async function refusalOf(request: Request, { options, customerId }: Buyer = newBuyer(checkouts)) {
  const call = checkouts.client.createCheckoutSession({ customerId, lines: [inline()], ...request }, options)
  const { violations } = (await faultOf(call)) as ServiceFault
  return violations.map(({ path, code, validation }) =>
    code === validation ? `${path} ${code}` : `${path} ${code} (${validation})`,
  )
}

const at = (milliseconds: number) => timestampFromDate(new Date(checkouts.clock.now().getTime() + milliseconds))
const percent = { discountType: CouponDiscountType.PERCENT }
const amount = { discountType: CouponDiscountType.AMOUNT }
const subscription = { allowSubscription: true, subscriptionIntervalValue: 1, subscriptionIntervalScale: 3 } as const

describe('a coupon that is not usable', () => {
  it.each<[string, () => Parameters<typeof coupons.add>[0]]>([
    ['coupon-disabled', () => ({ enabled: false })],
    ['coupon-not-started', () => ({ usableAt: at(60_000) })],
    ['coupon-expired', () => ({ expiresAt: at(-1) })],
    ['coupon-other-customer', () => ({ usableByCustomerId: '7' })],
    ['coupon-below-minimum', () => ({ minimumOrderValue: 1001n })],
    ['coupon-out-of-scope', () => ({ applyToProducts: ['7'] })],
    ['coupon-out-of-scope', () => ({ applyToTags: ['7'] })],
    ['coupon-out-of-scope', () => ({ usableOnOneTimePurchase: false })],
  ])('is refused as %s, by its id and by its code', async (reason, members) => {
    const couponId = coupons.add(members())
    expect(await refusalOf({ couponId })).toEqual([`coupon_id ${reason} (reference)`])
    expect(await refusalOf({ promoCodes: [coupons.codeOf(couponId)] })).toEqual([`promo_codes.0 ${reason} (reference)`])
    expect(coupons.slotsOf(couponId)).toEqual({ reserved: 0, confirmed: 0, released: 0 })
  })

  it('applies to nothing when all of the order is closed to coupons', async () => {
    const couponId = coupons.add()
    const lines = [inline({ isCouponsDisabled: true })]
    expect(await refusalOf({ couponId, lines })).toEqual(['coupon_id coupon-out-of-scope (reference)'])
  })

  it('is refused at the minimum by the whole subtotal, and not by what it applies to', async () => {
    const buyer = newBuyer(checkouts)
    const productId = await checkouts.addProduct(buyer.options, { price: 1n })
    const couponId = coupons.add({ applyToProducts: [productId], minimumOrderValue: 1001n })
    const session = await createTestSession(checkouts, buyer, { couponId, lines: [inline(), ofProduct(productId)] })
    expect(session.couponId).toBe(couponId)
  })
})

describe('codes', () => {
  it('that mean nothing are refused where they stand', async () => {
    const request = { couponId: randomId(), promoCodes: ['unknown', 'NEITHER'] }
    expect(await refusalOf(request)).toEqual([
      'coupon_id reference',
      'promo_codes.0 reference',
      'promo_codes.1 reference',
    ])
  })

  it('may name the same coupon and the same link twice', async () => {
    const couponId = coupons.add()
    const [code, link] = [coupons.codeOf(couponId), coupons.addLink()]
    const request = { couponId, promoCodes: [code, link, code], affiliateCode: link }
    const session = await createTestSession(checkouts, undefined, request)
    expect(session).toMatchObject({ couponId, affiliateLinkId: coupons.linkId(link), totalAmount: 900n })
    expect(coupons.slotsOf(couponId).reserved).toBe(1)
  })

  it('may name no second coupon and no second link', async () => {
    const [first, second] = [coupons.add(), coupons.add()]
    const [link, other] = [coupons.addLink(), coupons.addLink()]
    const promoCodes = [coupons.codeOf(second), link, other]
    expect(await refusalOf({ couponId: first, promoCodes })).toEqual([
      'promo_codes.0 exclusive',
      'promo_codes.2 exclusive',
    ])
    expect(await refusalOf({ promoCodes: [link], affiliateCode: other })).toEqual(['affiliate_code exclusive'])
  })

  it('of a link that is disabled are refused as a promo code and passed over as an affiliate code', async () => {
    const link = coupons.addLink({ enabled: false })
    expect(await refusalOf({ promoCodes: [link] })).toEqual(['promo_codes.0 affiliate-disabled (reference)'])
    const session = await createTestSession(checkouts, undefined, { affiliateCode: link })
    expect(session.affiliateLinkId).toBeUndefined()
  })

  it.each(['unknown', '', ' ', 'x'.repeat(1000)])('as an affiliate code may be anything: %j', async (affiliateCode) => {
    const session = await createTestSession(checkouts, undefined, { affiliateCode })
    expect(session).toMatchObject({ affiliateDiscountAmount: 0n, totalAmount: 1000n })
    expect(session.affiliateLinkId).toBeUndefined()
  })

  it('of a coupon are no affiliate code', async () => {
    const couponId = coupons.add()
    const session = await createTestSession(checkouts, undefined, { affiliateCode: coupons.codeOf(couponId) })
    expect(session.couponId ?? session.affiliateLinkId).toBeUndefined()
    expect(coupons.slotsOf(couponId).reserved).toBe(0)
  })
})

describe('a coupon', () => {
  it('takes a percentage of each line that it applies to', async () => {
    const buyer = newBuyer(checkouts)
    const [named, tagged, other] = await Promise.all([
      checkouts.addProduct(buyer.options, { price: 333n }),
      checkouts.addProduct(buyer.options, { price: 5n, tags: ['7'] }),
      checkouts.addProduct(buyer.options, { price: 1000n }),
    ])
    const couponId = coupons.add({ ...percent, discountAmount: 100n, applyToProducts: [named], applyToTags: ['7'] })
    const lines = [named, tagged, other].map((id) => ofProduct(id, { quantity: 3 }))
    const session = await createTestSession(checkouts, buyer, { couponId, lines })
    // 99.9 and 1.5, each rounded half away from zero.
    expect(session.lines.map(({ discountAmount }) => discountAmount)).toEqual([100n, 2n, 0n])
    expect(session).toMatchObject({ subtotalAmount: 4014n, couponDiscountAmount: 102n, totalAmount: 3912n })
  })

  it('takes an amount once, spread over the lines by what they cost', async () => {
    const couponId = coupons.add({ ...amount, discountAmount: 100n })
    const lines = [333n, 333n, 334n].map((price) => inline({ price }))
    const session = await createTestSession(checkouts, undefined, { couponId, lines })
    expect(session.lines.map(({ discountAmount }) => discountAmount)).toEqual([33n, 33n, 34n])
    expect(session.couponDiscountAmount).toBe(100n)
  })

  it('takes an amount once per unit, but from no line more than it costs', async () => {
    const couponId = coupons.add({ ...amount, discountAmount: 100n, discountApplyIndividually: true })
    const lines = [inline({ price: 250n }, { quantity: 3 }), inline({ price: 60n }, { quantity: 2 })]
    const session = await createTestSession(checkouts, undefined, { couponId, lines })
    expect(session.lines.map(({ discountAmount }) => discountAmount)).toEqual([300n, 120n])
    expect(session.totalAmount).toBe(450n)
  })

  it('leaves out lines of another kind of purchase and products that are closed to coupons', async () => {
    const couponId = coupons.add({ ...amount, discountAmount: 5000n, usableOnSubscription: false })
    const lines = [
      inline(),
      inline(subscription, { subscription: true }),
      inline({ isCouponsDisabled: true }, { quantity: 2 }),
    ]
    const session = await createTestSession(checkouts, undefined, { couponId, lines })
    expect(session.lines.map(({ discountAmount }) => discountAmount)).toEqual([1000n, 0n, 0n])
    expect(session.totalAmount).toBe(3000n)
  })
})

describe('an affiliate link', () => {
  it.each([
    [{ discountType: AmountType.NONE }, 0n],
    [{ discountType: AmountType.FIXED, discountAmount: 150n }, 150n],
    // The coupon leaves 900 of the line that it may apply to.
    [{ discountType: AmountType.FIXED, discountAmount: 5000n }, 900n],
    [{ discountType: AmountType.PERCENTAGE, discountAmount: 5n }, 5n],
    [{ discountType: AmountType.PERCENTAGE, discountAmount: 1000n }, 900n],
  ])('takes its part of what the coupon leaves of the lines that it may apply to (%o)', async (terms, discount) => {
    const couponId = coupons.add()
    const lines = [inline(), inline(subscription, { subscription: true }), inline({ isAffiliateLinksDisabled: true })]
    const session = await createTestSession(checkouts, undefined, {
      couponId,
      lines,
      affiliateCode: coupons.addLink(terms),
    })
    expect(session).toMatchObject({
      couponDiscountAmount: 300n,
      affiliateDiscountAmount: discount,
      discountAmount: 300n + discount,
      totalAmount: 2700n - discount,
    })
    expect(session.lines.map(({ totalAmount }) => totalAmount)).toEqual([900n, 900n, 900n])
  })

  it('applies to subscriptions when it says so', async () => {
    const link = coupons.addLink({
      applyForSubscriptions: true,
      discountType: AmountType.PERCENTAGE,
      discountAmount: 500n,
    })
    const lines = [inline(subscription, { subscription: true })]
    const session = await createTestSession(checkouts, undefined, { lines, promoCodes: [link] })
    expect(session.affiliateDiscountAmount).toBe(500n)
  })
})
