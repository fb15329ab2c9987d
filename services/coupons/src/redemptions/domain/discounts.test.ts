import { sum } from '@storekeep/common/values'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DiscountCodes, discountOrder } from './discounts.ts'
import type { PricedLine } from './order.ts'
import { smaller } from './spread.ts'

const ids = fc.constantFrom('1', '2', '3')
const idLists = fc.uniqueArray(ids, { maxLength: 2 })
const permille = fc.bigInt({ min: 1n, max: 1000n })
const money = fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: 1_000_000_000_000n }))

const pricedLine: fc.Arbitrary<PricedLine> = fc.record({
  productId: fc.option(ids),
  tags: idLists,
  quantity: fc.integer({ min: 1, max: 1000 }),
  amount: money,
  subscription: fc.boolean(),
  isCouponsDisabled: fc.boolean(),
  isAffiliateLinksDisabled: fc.boolean(),
})

const coupon = fc
  .record({
    discount: fc.oneof(
      fc.record({ discountType: fc.constant('percent' as const), discountAmount: permille }),
      fc.record({ discountType: fc.constant('amount' as const), discountAmount: money.map((amount) => amount + 1n) }),
    ),
    discountApplyIndividually: fc.boolean(),
    applyToProducts: idLists,
    applyToTags: idLists,
    usableOnOneTimePurchase: fc.boolean(),
    usableOnSubscription: fc.boolean(),
    minimumOrderValue: fc.constantFrom(0n, 0n, 1000n),
  })
  .map(({ discount, ...rest }) => ({ terms: { ...rest, ...discount }, path: 'coupon_id' }))

const affiliateLink = fc
  .record({
    discount: fc.oneof(
      fc.constant({ discountType: 'none' as const, discountAmount: 0n }),
      fc.record({ discountType: fc.constant('percentage' as const), discountAmount: permille }),
      fc.record({ discountType: fc.constant('fixed' as const), discountAmount: money }),
    ),
    applyForSubscriptions: fc.boolean(),
  })
  .map(({ discount, ...rest }) => ({ ...rest, ...discount }))

const order = fc.record({
  lines: fc.array(pricedLine, { minLength: 1, maxLength: 12 }),
  codes: fc.record<DiscountCodes>({
    coupon: fc.option(coupon, { nil: undefined }),
    affiliateLink: fc.option(affiliateLink, { nil: undefined }),
  }),
})

/** Asserts a property of the discounts of every order. */
function always(property: (lines: PricedLine[], codes: DiscountCodes, result: Result) => void): void {
  fc.assert(
    fc.property(order, ({ lines, codes }) => property(lines, codes, discountOrder(lines, codes))),
    { numRuns: 500 },
  )
}

type Result = ReturnType<typeof discountOrder>

const plain: PricedLine = {
  productId: null,
  tags: [],
  quantity: 1,
  amount: 1000n,
  subscription: false,
  isCouponsDisabled: false,
  isAffiliateLinksDisabled: false,
}
const percent = (discountAmount: bigint) => couponOf({ discountType: 'percent', discountAmount })
const amountOff = (discountAmount: bigint, discountApplyIndividually = false) =>
  couponOf({ discountType: 'amount', discountAmount, discountApplyIndividually })

function couponOf(terms: Partial<NonNullable<DiscountCodes['coupon']>['terms']>): DiscountCodes {
  const base = { discountType: 'percent', discountAmount: 100n, discountApplyIndividually: false } as const
  const scope = { applyToProducts: [], applyToTags: [], usableOnOneTimePurchase: true, usableOnSubscription: true }
  return {
    coupon: { path: 'coupon_id', terms: { ...base, ...scope, minimumOrderValue: 0n, ...terms } },
    affiliateLink: undefined,
  }
}

function linkOf(terms: Partial<NonNullable<DiscountCodes['affiliateLink']>>): DiscountCodes['affiliateLink'] {
  return { applyForSubscriptions: false, discountType: 'percentage', discountAmount: 100n, ...terms }
}

const lineDiscounts = (lines: Partial<PricedLine>[], codes: DiscountCodes) =>
  discountOrder(
    lines.map((line) => ({ ...plain, ...line })),
    codes,
  ).lineDiscounts

describe('the coupon discount', () => {
  it('is a percentage of each line in scope, rounded half away from zero per line', () => {
    const lines = [
      { amount: 999n, productId: '1' },
      { amount: 15n, tags: ['7'] },
      { amount: 3000n, productId: '2' },
    ]
    const codes = couponOf({ discountAmount: 100n, applyToProducts: ['1'], applyToTags: ['7'] })
    expect(lineDiscounts(lines, codes)).toEqual([100n, 2n, 0n])
  })

  it('is an amount deducted once, spread over the lines in proportion', () => {
    expect(lineDiscounts([{ amount: 333n }, { amount: 333n }, { amount: 334n }], amountOff(100n))).toEqual([
      33n,
      33n,
      34n,
    ])
  })

  it('is an amount deducted per unit, at most the amount of the line', () => {
    const lines = [
      { amount: 750n, quantity: 3 },
      { amount: 120n, quantity: 2 },
    ]
    expect(lineDiscounts(lines, amountOff(100n, true))).toEqual([300n, 120n])
  })

  it('excludes products with coupons disabled and other kinds of purchase', () => {
    const lines = [{}, { subscription: true }, { isCouponsDisabled: true, quantity: 2 }]
    const codes = couponOf({ discountType: 'amount', discountAmount: 5000n, usableOnSubscription: false })
    expect(lineDiscounts(lines, codes)).toEqual([1000n, 0n, 0n])
  })

  it('never exceeds a line and is 0 out of scope', () => {
    always((lines, { coupon: used }, { lineDiscounts: discounts }) => {
      expect(discounts).toHaveLength(lines.length)
      for (const [index, line] of lines.entries()) {
        const discount = discounts[index] ?? -1n
        expect(discount >= 0n && discount <= line.amount).toBe(true)
        const isKindUsable = line.subscription ? used?.terms.usableOnSubscription : used?.terms.usableOnOneTimePurchase
        if (!isKindUsable || line.isCouponsDisabled) expect(discount).toBe(0n)
      }
    })
  })

  it('never exceeds the amount of the coupon', () => {
    always((lines, { coupon: used }, { lineDiscounts: discounts }) => {
      if (used?.terms.discountType !== 'amount') return
      const units = used.terms.discountApplyIndividually ? lines.reduce((all, { quantity }) => all + quantity, 0) : 1
      expect(sum(discounts) <= used.terms.discountAmount * BigInt(units)).toBe(true)
    })
  })

  it('is the full amount of the coupon if the order costs that much', () => {
    always((lines, { coupon: used }, { lineDiscounts: discounts, violations }) => {
      if (used?.terms.discountType !== 'amount' || used.terms.discountApplyIndividually || violations.length > 0) return
      const isWholeOrder = used.terms.applyToProducts.length === 0 && used.terms.applyToTags.length === 0
      if (!isWholeOrder || !used.terms.usableOnOneTimePurchase || !used.terms.usableOnSubscription) return
      const inScope = sum(lines.filter((line) => !line.isCouponsDisabled).map(({ amount }) => amount))
      expect(sum(discounts)).toBe(smaller(used.terms.discountAmount, inScope))
    })
  })
})

describe('the affiliate discount', () => {
  it('is rounded once on the order, not per line', () => {
    const lines = [plain, plain, plain].map((line) => ({ ...line, amount: 4n }))
    const codes = { coupon: undefined, affiliateLink: linkOf({ discountAmount: 125n }) }
    expect(discountOrder(lines, codes).affiliateDiscount).toBe(2n)
  })

  it.each([
    [{ discountType: 'none', discountAmount: 0n }, 0n],
    [{ discountType: 'fixed', discountAmount: 150n }, 150n],
    // The coupon leaves 900 of the only line that the link applies to.
    [{ discountType: 'fixed', discountAmount: 5000n }, 900n],
    [{ discountType: 'percentage', discountAmount: 5n }, 5n],
    [{ discountType: 'percentage', discountAmount: 1000n }, 900n],
    [{ discountType: 'percentage', discountAmount: 1000n, applyForSubscriptions: true }, 1800n],
  ] as const)('%o applies to what the coupon leaves of the eligible lines', (terms, discount) => {
    const lines = [plain, { ...plain, subscription: true }, { ...plain, isAffiliateLinksDisabled: true }]
    expect(discountOrder(lines, { ...percent(100n), affiliateLink: linkOf(terms) }).affiliateDiscount).toBe(discount)
  })

  it('never exceeds what remains of the eligible lines', () => {
    always((lines, { affiliateLink: used }, { lineDiscounts: discounts, affiliateDiscount }) => {
      const eligible = lines.map(({ amount, subscription, isAffiliateLinksDisabled }, index) => {
        const isEligible = !isAffiliateLinksDisabled && (used?.applyForSubscriptions || !subscription)
        return isEligible ? amount - (discounts[index] ?? 0n) : 0n
      })
      expect(affiliateDiscount >= 0n && affiliateDiscount <= sum(eligible)).toBe(true)
      if (!used || used.discountType === 'none') expect(affiliateDiscount).toBe(0n)
    })
  })
})

describe('a coupon that does not fit the order', () => {
  const reasonOf = (lines: Partial<PricedLine>[], codes: DiscountCodes) => {
    const { violations } = discountOrder(
      lines.map((line) => ({ ...plain, ...line })),
      codes,
    )
    return violations.map(({ path, code, validation }) => `${path} ${code} ${validation}`)
  }

  it.each<[string, Parameters<typeof couponOf>[0], Partial<PricedLine>]>([
    ['coupon-below-minimum', { minimumOrderValue: 1001n }, {}],
    ['coupon-out-of-scope', { applyToProducts: ['7'] }, {}],
    ['coupon-out-of-scope', { applyToTags: ['7'] }, {}],
    ['coupon-out-of-scope', { usableOnOneTimePurchase: false }, {}],
    ['coupon-out-of-scope', { usableOnSubscription: false }, { subscription: true }],
    ['coupon-out-of-scope', {}, { isCouponsDisabled: true }],
  ])('is rejected with %s (%o)', (reason, terms, line) => {
    expect(reasonOf([line], couponOf(terms))).toEqual([`coupon_id ${reason} reference`])
  })

  it('compares its minimum with the subtotal, not with the lines in its scope', () => {
    const codes = couponOf({ applyToProducts: ['1'], minimumOrderValue: 1001n })
    expect(reasonOf([{ amount: 1n, productId: '1' }, {}], codes)).toEqual([])
  })

  it('is rejected exactly when it applies to nothing or the subtotal is below the minimum', () => {
    always((lines, { coupon: used }, { lineDiscounts: discounts, violations }) => {
      const reasons = violations.map(({ code }) => code)
      const isTooLow = used !== undefined && sum(lines.map(({ amount }) => amount)) < used.terms.minimumOrderValue
      expect(reasons.includes('coupon-below-minimum')).toBe(isTooLow)
      if (reasons.includes('coupon-out-of-scope')) expect(sum(discounts)).toBe(0n)
    })
  })
})
