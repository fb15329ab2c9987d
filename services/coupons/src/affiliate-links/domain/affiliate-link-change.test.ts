import { describe, expect, it } from 'vitest'
import type { AffiliateLinkState } from './affiliate-link.ts'
import { applyChange, readChange } from './affiliate-link-change.ts'

const before: AffiliateLinkState = {
  walletId: 'wallet-7',
  enabled: true,
  code: 'Robin',
  refererType: 'first_referer',
  trackingLengthDays: 30,
  applyForSubscriptions: true,
  discountType: 'fixed',
  discountAmount: 500n,
  commissionType: 'none',
  commissionAmount: 0n,
  commissionAmountSteps: [{ billingCycleSequence: 1, commissionAmount: 0n }],
  lastCommissionAmountStepRepeats: false,
}

describe('a change of an affiliate link', () => {
  it('ignores fields outside the mask', () => {
    const input = { ...before, code: '!', enabled: false, refererType: 'invalid' as const }
    expect(readChange(input, [])).toEqual({})
    expect(readChange(input, ['enabled', 'code', 'enabled'])).toEqual({ enabled: false, code: '!' })
  })

  it('rejects a mask with an unknown field', () => {
    for (const path of ['store_id', 'walletId', '__proto__']) expect(() => readChange(before, [path])).toThrow(path)
  })

  it('returns undefined if nothing changes', () => {
    const row = { ...before, id: '1', version: '1' }
    expect(applyChange(row, {})).toBeUndefined()
    expect(applyChange(row, structuredClone(before))).toBeUndefined()
  })

  it('changes the fields in the mask', () => {
    expect(applyChange(before, { discountAmount: 7n })).toEqual({ ...before, discountAmount: 7n })
    const steps = [{ billingCycleSequence: 2, commissionAmount: 0n }]
    expect(applyChange(before, { commissionAmountSteps: steps })).toEqual({ ...before, commissionAmountSteps: steps })
  })

  it('validates the resulting link as a whole', () => {
    expect(() => applyChange(before, { discountType: 'none' })).toThrow('discount_amount: must be 0')
    expect(() => applyChange(before, { commissionAmount: 1n })).toThrow('commission_amount: must be 0')
    expect(applyChange(before, { discountType: 'none', discountAmount: 0n })).toMatchObject({ discountType: 'none' })
  })
})
