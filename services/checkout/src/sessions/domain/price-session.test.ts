import { sum } from '@storekeep/common/values'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ProductTerms } from '../../products/domain/product.ts'
import type { CheckoutDraft, DraftLine } from './checkout-draft.ts'
import { applyDiscounts, noDiscounts } from './discounts.ts'
import type { OrderLine } from './order.ts'
import { priceSession } from './price-session.ts'

const money = fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: 1_000_000_000n }))
const option = fc.record({
  priceType: fc.constantFrom('fixed' as const, 'percentage' as const),
  price: fc.bigInt({ min: -2_000_000n, max: 2_000_000n }),
})
const line = fc
  .record({ price: money, quantity: fc.integer({ min: 1, max: 1000 }), options: fc.array(option, { maxLength: 3 }) })
  .map(({ price, quantity, options }) => orderLine(price, quantity, options))
const order = fc.array(line, { minLength: 1, maxLength: 12 })
const draft = { customerId: '1', metadata: {} } as CheckoutDraft

const noRules = {
  singleGameServerOnly: false,
  storeStockLimit: null,
  customerStockLimit: null,
  requiredProductIds: [] as string[],
  allowConcurrentActiveItems: true,
}

function orderLine(price: bigint, quantity: number, options: OrderLine['answers']['options']): OrderLine {
  const draftLine = { quantity, payoutSplits: [] as DraftLine['payoutSplits'] } as DraftLine
  return {
    at: '',
    productId: '1',
    productVersionId: '2',
    terms: { ...noRules, price } as Partial<ProductTerms> as ProductTerms,
    draft: draftLine,
    answers: { values: {}, freeTexts: [], variables: [], options },
  }
}

const price = (lines: OrderLine[]) => priceSession(draft, { currency: 'eur', lines })

describe('the price of a session', () => {
  it('adds up: units and options to lines, lines to the subtotal', () => {
    fc.assert(
      fc.property(order, (lines) => {
        const session = price(lines)
        for (const [index, { unitPrice, optionsAmount, quantity, totalAmount }] of session.lines.entries()) {
          expect(unitPrice >= 0n).toBe(true)
          expect(unitPrice - optionsAmount).toBe(lines[index]?.terms.price)
          expect(unitPrice * BigInt(quantity)).toBe(totalAmount)
        }
        expect(sum(session.lines.map(({ totalAmount }) => totalAmount))).toBe(session.subtotalAmount)
        expect(session.totalAmount).toBe(session.subtotalAmount)
      }),
      { numRuns: 300 },
    )
  })

  it('still adds up after the discounts', () => {
    const discounted = order.chain((lines) => {
      const session = price(lines)
      const parts = session.lines.map(({ totalAmount }) => fc.bigInt({ min: 0n, max: totalAmount }))
      return fc.record({
        session: fc.constant(session),
        lineDiscounts: fc.tuple(...parts),
        permille: fc.bigInt(0n, 1000n),
      })
    })
    fc.assert(
      fc.property(discounted, ({ session, lineDiscounts, permille }) => {
        const net = session.subtotalAmount - sum(lineDiscounts)
        const discountAmount = (net * permille) / 1000n
        const { lines, ...amounts } = applyDiscounts(session, {
          coupon: { id: '1', versionId: '2', code: 'SALE', lineDiscounts, duration: { kind: 'once' as const } },
          affiliateLink: { id: '3', discountAmount },
        })
        for (const [index, { discountAmount: discount, totalAmount, unitPrice, quantity }] of lines.entries()) {
          expect(discount).toBe(lineDiscounts[index])
          expect(discount + totalAmount).toBe(unitPrice * BigInt(quantity))
        }
        expect(amounts).toMatchObject({ couponId: '1', couponVersionId: '2', couponCode: 'SALE', affiliateLinkId: '3' })
        expect(amounts.couponDiscountAmount).toBe(sum(lineDiscounts))
        expect(amounts.affiliateDiscountAmount).toBe(discountAmount)
        expect(amounts.totalAmount).toBe(net - discountAmount)
      }),
      { numRuns: 300 },
    )
  })

  it('adds a fixed option as money and a percentage option as permille of the product', () => {
    const fixed = { priceType: 'fixed', price: 300n } as const
    const percentage = { priceType: 'percentage', price: 200n } as const
    expect(price([orderLine(1000n, 3, [fixed, percentage])]).lines).toMatchObject([
      { unitPrice: 1500n, optionsAmount: 500n, totalAmount: 4500n },
    ])
  })

  it('leaves the URLs, game servers and payout splits of the draft unchanged', () => {
    const urls = { returnUrl: 'https://shop.example/done', cancelUrl: 'https://shop.example/back' }
    const line = orderLine(5n, 1, [])
    const payoutSplits = [{ payoutId: '8', percentage: 250n, platformFee: 3n }]
    const full = { ...line, draft: { ...line.draft, selectedGameserverId: '7', payoutSplits } }
    expect(priceSession({ ...draft, ...urls }, { currency: 'eur', lines: [full, line] })).toMatchObject({
      ...urls,
      lines: [
        { selectedGameserverId: '7', payoutSplits: [{ payoutId: '8', percentage: 250, platformFee: 3 }] },
        { selectedGameserverId: null, payoutSplits: [] },
      ],
    })
  })

  it('keeps the terms of a product only for a line without a product id', () => {
    const line = orderLine(5n, 1, [])
    expect(price([line, { ...line, productId: null }]).lines).toMatchObject([
      { productId: '1', inlineProduct: null },
      { productId: null, inlineProduct: { price: 5n } },
    ])
  })

  it('rounds a percentage option per unit, half away from zero, and is never negative', () => {
    const half = { priceType: 'percentage', price: -500n } as const
    const tooMuch = { priceType: 'fixed', price: -5000n } as const
    expect(price([orderLine(999n, 1, [half]), orderLine(999n, 2, [tooMuch])]).lines).toMatchObject([
      { unitPrice: 499n, optionsAmount: -500n },
      { unitPrice: 0n, optionsAmount: -999n, totalAmount: 0n },
    ])
  })

  it('is rejected if it exceeds the largest safe JSON number', () => {
    const most = orderLine(BigInt(Number.MAX_SAFE_INTEGER), 1, [])
    expect(price([most]).totalAmount).toBe(9_007_199_254_740_991n)
    expect(() => price([most, orderLine(1n, 1, [])])).toThrow('lines: must cost at most 9007199254740991 together')
  })

  it('is not computed from discounts that do not fit the session', () => {
    const session = price([orderLine(10n, 1, [])])
    const coupon = (...lineDiscounts: bigint[]) => ({
      ...noDiscounts,
      coupon: { id: '1', versionId: '2', code: 'SALE', lineDiscounts, duration: { kind: 'once' as const } },
    })
    expect(applyDiscounts(session, noDiscounts)).toEqual(session)
    expect(() => applyDiscounts(session, coupon(1n, 1n))).toThrow('different order')
    expect(() => applyDiscounts(session, coupon(11n))).toThrow('exceed the price')
    const affiliateLink = { id: '3', discountAmount: 10n }
    expect(() => applyDiscounts(session, { ...coupon(1n), affiliateLink })).toThrow('exceed the price')
  })
})
