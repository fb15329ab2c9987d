import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { permilleOf } from './index.ts'

describe('permilleOf', () => {
  it.each([
    [1000n, 125n, 125n],
    [4n, 125n, 1n],
    [3n, 125n, 0n],
    [-4n, 125n, -1n],
    [4n, -125n, -1n],
    [-3n, 125n, 0n],
    [0n, 1000n, 0n],
    [9_007_199_254_740_991n, 999n, 8_998_192_055_486_250n],
  ])('%s at %s permille is %s, rounded half away from zero', (amount, permille, share) => {
    expect(permilleOf(amount, permille)).toBe(share)
  })

  it('is within half a unit of the exact share and symmetric around zero', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n }),
        fc.bigInt({ min: 0n, max: 1000n }),
        (amount, permille) => {
          const share = permilleOf(amount, permille)
          const error = share * 1000n - amount * permille
          expect(error <= 500n && error >= -500n).toBe(true)
          expect(permilleOf(-amount, permille)).toBe(-share)
        },
      ),
    )
  })
})
