import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isExpired, isRevoked } from './token-rules.ts'

const epochs = fc.record({ customerEpoch: fc.nat(5), storeEpoch: fc.nat(5) })

describe('a token', () => {
  it('is revoked exactly if either epoch was raised after it was issued', () => {
    const revocation = fc.constantFrom<'customerEpoch' | 'storeEpoch'>('customerEpoch', 'storeEpoch')
    fc.assert(
      fc.property(epochs, fc.array(revocation, { maxLength: 8 }), (minted, revocations) => {
        const current = { ...minted }
        for (const level of revocations) current[level] += 1
        expect(isRevoked(minted, current)).toBe(revocations.length > 0)
      }),
    )
  })

  it('stays revoked after later revocations at either level', () => {
    fc.assert(
      fc.property(epochs, epochs, epochs, (token, current, later) => {
        const raised = {
          customerEpoch: Math.max(current.customerEpoch, later.customerEpoch),
          storeEpoch: Math.max(current.storeEpoch, later.storeEpoch),
        }
        if (isRevoked(token, current)) expect(isRevoked(token, raised)).toBe(true)
      }),
    )
  })

  it('is valid for its lifetime plus one minute', () => {
    const token = { expiresAt: 1000 }
    expect([999_999, 1_059_999, 1_060_000].map((nowMs) => isExpired(token, nowMs))).toEqual([false, false, true])
  })
})
