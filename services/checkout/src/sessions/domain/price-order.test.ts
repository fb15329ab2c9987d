import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AffiliateTerms, ChosenCodes, CouponTerms } from './codes.ts'
import { type LineToPrice, priceOrder } from './price-order.ts'
import { smaller, sum } from './rounding.ts'

const small = fc.constantFrom('1', '2', '3')
const ids = fc.uniqueArray(small, { maxLength: 2 })
const permille = fc.bigInt({ min: 1n, max: 1000n })
const money = fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: 1_000_000_000_000n }))
const signed = fc.bigInt({ min: -2_000_000n, max: 2_000_000n })

const line: fc.Arbitrary<LineToPrice> = fc.record({
  price: money,
  quantity: fc.integer({ min: 1, max: 1000 }),
  productId: fc.option(small),
  tags: ids,
  subscription: fc.boolean(),
  isCouponsDisabled: fc.boolean(),
  isAffiliateLinksDisabled: fc.boolean(),
  options: fc.array(fc.record({ priceType: fc.constantFrom('fixed', 'percentage'), price: signed }), { maxLength: 3 }),
})

const coupon: fc.Arbitrary<CouponTerms> = fc
  .record({
    kind: fc.oneof(
      fc.record({ discountType: fc.constant('percent' as const), discountAmount: permille }),
      fc.record({ discountType: fc.constant('amount' as const), discountAmount: money.map((one) => one + 1n) }),
    ),
    applyIndividually: fc.boolean(),
    applyToProducts: ids,
    applyToTags: ids,
    usableOnOneTimePurchase: fc.boolean(),
    usableOnSubscription: fc.boolean(),
    minimumOrderValue: fc.constantFrom(0n, 0n, 1000n),
  })
  .map(({ kind, ...rest }) => ({
    ...rest,
    ...kind,
    id: '1',
    versionId: '2',
    enabled: true,
    usableByCustomerId: null,
    usableAt: null,
    expiresAt: null,
  }))

const affiliate: fc.Arbitrary<AffiliateTerms> = fc
  .record({
    kind: fc.oneof(
      fc.constant({ discountType: 'none' as const, discountAmount: 0n }),
      fc.record({ discountType: fc.constant('percentage' as const), discountAmount: permille }),
      fc.record({ discountType: fc.constant('fixed' as const), discountAmount: money }),
    ),
    applyForSubscriptions: fc.boolean(),
  })
  .map(({ kind, ...rest }) => ({ ...rest, ...kind, id: '3', enabled: true }))

const order = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 12 }),
  codes: fc.record<ChosenCodes>({
    coupon: fc.option(
      coupon.map((terms) => ({ terms, path: 'coupon_id' })),
      { nil: undefined },
    ),
    affiliate: fc.option(
      affiliate.map((terms) => ({ terms, path: 'affiliate_code' })),
      { nil: undefined },
    ),
  }),
})

/** Holds for the price of every order. */
function always(property: (given: { lines: LineToPrice[]; codes: ChosenCodes }, priced: Priced) => void): void {
  fc.assert(
    fc.property(order, (given) => {
      property(given, priceOrder(given.lines, given.codes))
    }),
    { numRuns: 500 },
  )
}

type Priced = ReturnType<typeof priceOrder>

describe('the price of an order', () => {
  it('is never below 0, nor is any part of it', () => {
    always((_, { lines, amounts }) => {
      for (const one of Object.values(amounts)) expect(one >= 0n).toBe(true)
      for (const { unitPrice, discountAmount, totalAmount } of lines) {
        expect([unitPrice, discountAmount, totalAmount].every((one) => one >= 0n)).toBe(true)
      }
    })
  })

  it('adds up: units to lines, lines to the subtotal, discounts and total to the subtotal', () => {
    always((given, { lines, amounts }) => {
      expect(lines).toHaveLength(given.lines.length)
      const gross = lines.map(({ unitPrice }, index) => unitPrice * BigInt(given.lines[index]?.quantity ?? 0))
      for (const [index, { discountAmount, totalAmount, unitPrice, optionsAmount }] of lines.entries()) {
        expect(discountAmount + totalAmount).toBe(gross[index])
        expect(unitPrice - optionsAmount).toBe(given.lines[index]?.price)
      }
      const { subtotalAmount, couponDiscountAmount, affiliateDiscountAmount, totalAmount } = amounts
      expect(sum(gross)).toBe(subtotalAmount)
      expect(sum(lines.map((one) => one.discountAmount))).toBe(couponDiscountAmount)
      expect(couponDiscountAmount + affiliateDiscountAmount + totalAmount).toBe(subtotalAmount)
    })
  })

  it('is reduced by no more than a coupon gives, and on no line outside of its scope', () => {
    always(({ lines: given, codes: { coupon: used } }, { lines, amounts }) => {
      if (!used) {
        expect(amounts.couponDiscountAmount).toBe(0n)
        return
      }
      const { terms } = used
      for (const [index, one] of given.entries()) {
        const kindFits = one.subscription ? terms.usableOnSubscription : terms.usableOnOneTimePurchase
        if (!kindFits || one.isCouponsDisabled) expect(lines[index]?.discountAmount).toBe(0n)
      }
      if (terms.discountType === 'amount') {
        const units = terms.applyIndividually ? BigInt(given.reduce((all, one) => all + one.quantity, 0)) : 1n
        expect(amounts.couponDiscountAmount <= terms.discountAmount * units).toBe(true)
      }
    })
  })

  it('is reduced by an amount in full wherever that much is to be paid', () => {
    always(({ lines: given, codes: { coupon: used } }, { lines, amounts, violations }) => {
      if (used?.terms.discountType !== 'amount' || used.terms.applyIndividually || violations.length > 0) return
      const isWhole = used.terms.applyToProducts.length === 0 && used.terms.applyToTags.length === 0
      if (!isWhole || !used.terms.usableOnOneTimePurchase || !used.terms.usableOnSubscription) return
      const inScope = lines.filter((_, index) => !given[index]?.isCouponsDisabled)
      const open = sum(inScope.map(({ discountAmount, totalAmount }) => discountAmount + totalAmount))
      expect(amounts.couponDiscountAmount).toBe(smaller(used.terms.discountAmount, open))
    })
  })

  it('is reduced by an affiliate link only by what the lines cost that it may apply to', () => {
    always(({ lines: given, codes: { affiliate: used } }, { lines, amounts }) => {
      const eligible = lines.filter((_, index) => {
        const one = given[index]
        return one && !one.isAffiliateLinksDisabled && (used?.terms.applyForSubscriptions || !one.subscription)
      })
      expect(amounts.affiliateDiscountAmount <= sum(eligible.map(({ totalAmount }) => totalAmount))).toBe(true)
      if (!used || used.terms.discountType === 'none') expect(amounts.affiliateDiscountAmount).toBe(0n)
    })
  })

  it('is refused by a coupon just when that applies to nothing or the subtotal is too low', () => {
    always(({ codes: { coupon: used } }, { amounts, lines, violations }) => {
      const reasons = violations.map(({ code }) => code)
      const isTooLow = used !== undefined && amounts.subtotalAmount < used.terms.minimumOrderValue
      expect(reasons.includes('coupon-below-minimum')).toBe(isTooLow)
      if (reasons.includes('coupon-out-of-scope')) {
        expect(lines.every(({ discountAmount }) => discountAmount === 0n)).toBe(true)
      }
      expect(reasons.includes('max')).toBe(amounts.subtotalAmount > BigInt(Number.MAX_SAFE_INTEGER))
    })
  })
})
