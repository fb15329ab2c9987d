import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { permilleOf, spread, sum } from './rounding.ts'

const amount = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n })

describe('a share in permille', () => {
  it.each([
    [1000n, 125n, 125n],
    [4n, 125n, 1n],
    [3n, 125n, 0n],
    [-4n, 125n, -1n],
    [4n, -125n, -1n],
    [-3n, 125n, 0n],
    [0n, 1000n, 0n],
    [9_007_199_254_740_991n, 999n, 8_998_192_055_486_250n],
  ])('%s of %s permille is %s, half a unit rounded away from zero', (whole, permille, share) => {
    expect(permilleOf(whole, permille)).toBe(share)
  })

  it('is within half a unit of the true share, and the same on both sides of zero', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n }),
        fc.bigInt({ min: 0n, max: 1000n }),
        (whole, permille) => {
          const share = permilleOf(whole, permille)
          const off = share * 1000n - whole * permille
          expect(off <= 500n && off >= -500n).toBe(true)
          expect(permilleOf(-whole, permille)).toBe(-share)
        },
      ),
    )
  })
})

describe('an amount spread over weights', () => {
  it.each([
    [100n, [1n, 1n, 1n], [34n, 33n, 33n]],
    [2n, [1n, 1n, 1n], [1n, 1n, 0n]],
    [10n, [5n, 0n, 5n], [5n, 0n, 5n]],
    [5n, [1n, 3n, 6n], [1n, 1n, 3n]],
    [0n, [1n, 2n], [0n, 0n]],
    [0n, [0n, 0n], [0n, 0n]],
    [0n, [], []],
  ])('%s over %o is %o', (whole, weights, parts) => {
    expect(spread(whole, weights)).toEqual(parts)
  })

  it('is neither more nor less, exceeds no weight, and gives a greater weight no less', () => {
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 100 }), fc.nat(1_000_000), (weights, fraction) => {
        const whole = (sum(weights) * BigInt(fraction)) / 1_000_000n
        const parts = spread(whole, weights)
        expect(sum(parts)).toBe(whole)
        for (const [index, part] of parts.entries()) {
          const weight = weights[index] ?? 0n
          expect(part >= 0n && part <= weight).toBe(true)
          for (const [other, otherPart] of parts.entries()) {
            if ((weights[other] ?? 0n) > weight) expect(otherPart >= part - 1n).toBe(true)
          }
        }
      }),
      { numRuns: 50 },
    )
  })
})
