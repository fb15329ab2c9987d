import { sum } from '@storekeep/common/values'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spread } from './spread.ts'

const amount = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n })

describe('spread', () => {
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

  it('adds up to the amount, exceeds no weight and gives a greater weight no less', () => {
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
