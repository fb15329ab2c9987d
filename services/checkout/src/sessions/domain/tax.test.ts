import { sum } from '@storekeep/common/values'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CheckoutLine } from './checkout-session.ts'
import type { PricedSession } from './price-session.ts'
import { applyTax, type TaxSettings, taxTerms } from './tax.ts'
import type { TaxIdCheck } from './tax-terms.ts'

const german: TaxSettings = {
  inclusive: true,
  registrations: [
    { country: 'DE', rate: null, name: 'MwSt.' },
    { country: 'CH', rate: 810, name: 'VAT' },
    { country: 'FR', rate: 1000, name: 'TVA' },
  ],
  country: 'DE',
  timeZone: 'Europe/Berlin',
}

function termsIn(country: string, taxIdCheck: TaxIdCheck = 'none', settings = german) {
  const evidence = { billingCountry: country, ipCountry: null, taxIdCheck }
  return taxTerms(settings, country, evidence, country === 'CH' ? null : 1900)
}

describe('the tax of a buyer', () => {
  it('has the rate of the registration, else the standard rate of the country', () => {
    expect(termsIn('FR')).toMatchObject({ rate: 1000, name: 'TVA', reverseCharge: false, inclusive: true })
    expect(termsIn('DE')).toMatchObject({ rate: 1900, name: 'MwSt.', reverseCharge: false })
    expect(termsIn('CH')).toMatchObject({ rate: 810, name: 'VAT' })
  })

  it('is 0 without a name where the store is not registered', () => {
    expect(termsIn('US')).toMatchObject({ rate: 0, name: null, reverseCharge: false })
    expect(termsIn('AT')).toMatchObject({ rate: 0, name: null, reverseCharge: false })
  })

  it.each([
    ['FR', 'well_formed', true],
    ['FR', 'confirmed', true],
    ['AT', 'confirmed', true],
    ['FR', 'invalid', false],
    ['FR', 'unconfirmed', false],
    ['FR', 'none', false],
    // The seller accounts for the tax of businesses in its country.
    ['DE', 'confirmed', false],
    // Outside of the EU, other rules apply.
    ['CH', 'confirmed', false],
  ] as const)('in %s with a tax id that is %s is owed by the buyer: %s', (country, check, reverseCharge) => {
    const terms = termsIn(country, check)
    expect(terms.reverseCharge).toBe(reverseCharge)
    if (reverseCharge) expect(terms.rate).toBe(0)
  })

  it('is charged to businesses while it is unknown where the seller is established', () => {
    expect(termsIn('FR', 'confirmed', { ...german, country: null })).toMatchObject({ rate: 1000, reverseCharge: false })
  })
})

const line = fc
  .record({
    unitPrice: fc.bigInt({ min: 0n, max: 10n ** 9n }),
    quantity: fc.integer({ min: 1, max: 1000 }),
    permille: fc.bigInt({ min: 0n, max: 1000n }),
  })
  .map(({ unitPrice, quantity, permille }) => {
    const price = unitPrice * BigInt(quantity)
    const discountAmount = (price * permille) / 1000n
    return { unitPrice, quantity, discountAmount, totalAmount: price - discountAmount } as CheckoutLine
  })

const session = fc
  .record({ lines: fc.array(line, { minLength: 1, maxLength: 100 }), permille: fc.bigInt({ min: 0n, max: 1000n }) })
  .map(({ lines, permille }) => {
    const subtotalAmount = sum(lines.map(({ unitPrice, quantity }) => unitPrice * BigInt(quantity)))
    const couponDiscountAmount = sum(lines.map(({ discountAmount }) => discountAmount))
    const affiliateDiscountAmount = ((subtotalAmount - couponDiscountAmount) * permille) / 1000n
    return {
      lines,
      subtotalAmount,
      couponDiscountAmount,
      affiliateDiscountAmount,
    } as Partial<PricedSession> as PricedSession
  })

const terms = fc
  .record({ inclusive: fc.boolean(), rate: fc.integer({ min: 0, max: 10_000 }) })
  .map(({ inclusive, rate }) => ({ ...termsIn('DE'), inclusive, rate }))

const priceOf = ({ subtotalAmount, couponDiscountAmount, affiliateDiscountAmount }: PricedSession) =>
  subtotalAmount - couponDiscountAmount - affiliateDiscountAmount

describe('a taxed session', () => {
  it('adds up to the last unit: net and tax of the lines to the sums, and both sums to the total', () => {
    fc.assert(
      fc.property(session, terms, (priced, given) => {
        const { lines, tax, totalAmount } = applyTax(priced, given)
        expect(tax?.netAmount).toBe(sum(lines.map(({ netAmount }) => netAmount ?? -1n)))
        expect(tax?.taxAmount).toBe(sum(lines.map(({ taxAmount }) => taxAmount ?? -1n)))
        expect((tax?.netAmount ?? 0n) + (tax?.taxAmount ?? 0n)).toBe(totalAmount)
        for (const one of lines) {
          const gross = (one.netAmount ?? 0n) + (one.taxAmount ?? 0n)
          if (given.inclusive) expect(gross <= one.totalAmount).toBe(true)
          else expect((one.netAmount ?? 0n) <= one.totalAmount).toBe(true)
        }
      }),
    )
  })

  it('costs its price, which contains the tax, or to which the tax is added', () => {
    fc.assert(
      fc.property(session, terms, (priced, given) => {
        const { tax, totalAmount } = applyTax(priced, given)
        expect(given.inclusive ? totalAmount : tax?.netAmount).toBe(priceOf(priced))
      }),
    )
  })

  it('has the same amounts when the tax is applied again, and its price without tax when it is removed', () => {
    fc.assert(
      fc.property(session, terms, terms, (priced, first, second) => {
        expect(applyTax(applyTax(priced, first), second)).toEqual(applyTax(priced, second))
        expect(applyTax(applyTax(priced, first), null)).toMatchObject({ tax: null, totalAmount: priceOf(priced) })
      }),
    )
  })
})
