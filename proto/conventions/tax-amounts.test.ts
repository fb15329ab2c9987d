import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitAmount, taxAmounts } from './tax-amounts.ts'

const prices = fc.array(fc.bigInt({ min: 0n, max: 10n ** 15n }), { minLength: 1, maxLength: 100 })
const rate = fc.integer({ min: 0, max: 10_000 })
const sum = (amounts: readonly bigint[]) => amounts.reduce((all, one) => all + one, 0n)

describe('the tax of prices', () => {
  it.each([
    [1000n, 1900, false, 1000n, 190n],
    [1190n, 1900, true, 1000n, 190n],
    [999n, 1900, true, 839n, 160n],
    // Rounded half up.
    [50n, 100, false, 50n, 1n],
    [49n, 100, false, 49n, 0n],
    [1n, 2550, true, 1n, 0n],
    [1000n, 0, true, 1000n, 0n],
    [9_007_199_254_740_991n, 2700, true, 7_092_282_877_748_812n, 1_914_916_376_992_179n],
  ])('of %s at %s (inclusive: %s) is split into %s and %s', (price, one, inclusive, netAmount, taxAmount) => {
    expect(taxAmounts([price], { rate: one, inclusive })).toEqual([{ netAmount, taxAmount }])
  })

  it('leaves the price as the sum of net and tax, or as the net, to the last unit', () => {
    fc.assert(
      fc.property(prices, rate, fc.boolean(), (given, one, inclusive) => {
        for (const [index, { netAmount, taxAmount }] of taxAmounts(given, { rate: one, inclusive }).entries()) {
          expect(inclusive ? netAmount + taxAmount : netAmount).toBe(given[index])
          expect(netAmount >= 0n && taxAmount >= 0n).toBe(true)
        }
      }),
    )
  })

  it('differs from the exact tax of a line by at most half a unit', () => {
    fc.assert(
      fc.property(prices, rate, fc.boolean(), (given, one, inclusive) => {
        const divisor = inclusive ? BigInt(10_000 + one) : 10_000n
        for (const [index, { taxAmount }] of taxAmounts(given, { rate: one, inclusive }).entries()) {
          const error = 2n * (taxAmount * divisor - (given[index] ?? 0n) * BigInt(one))
          expect(error <= divisor && error >= -divisor).toBe(true)
        }
      }),
    )
  })

  it('that was added to a price is the tax that the gross amount contains', () => {
    fc.assert(
      fc.property(prices, rate, (given, one) => {
        const added = taxAmounts(given, { rate: one, inclusive: false })
        const gross = added.map(({ netAmount, taxAmount }) => netAmount + taxAmount)
        expect(taxAmounts(gross, { rate: one, inclusive: true })).toEqual(added)
      }),
    )
  })
})

describe('the shares of an amount', () => {
  it('add up to it, and exceed no weight', () => {
    fc.assert(
      fc.property(prices, fc.nat(1000), (weights, permille) => {
        const total = (sum(weights) * BigInt(permille)) / 1000n
        const shares = splitAmount(total, weights)
        expect(sum(shares)).toBe(total)
        expect(shares.every((share, index) => share >= 0n && share <= (weights[index] ?? 0n))).toBe(true)
      }),
    )
  })

  it('are zero without weights', () => {
    expect(splitAmount(0n, [0n, 0n])).toEqual([0n, 0n])
  })
})
