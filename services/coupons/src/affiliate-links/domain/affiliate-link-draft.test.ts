import { violationsIn } from '@storekeep/common/testing/faults'
import { describe, expect, it } from 'vitest'
import { type AffiliateLinkInput, checkAffiliateLink } from './affiliate-link-draft.ts'

const link: AffiliateLinkInput = {
  walletId: 'wallet-7',
  enabled: true,
  code: 'Robin',
  refererType: 'first_referer',
  trackingLengthDays: 30,
  applyForSubscriptions: true,
  discountType: 'none',
  discountAmount: 0n,
  commissionType: 'percentage',
  commissionAmount: 125n,
  commissionAmountSteps: [],
  lastCommissionAmountStepRepeats: false,
}
const most = BigInt(Number.MAX_SAFE_INTEGER)
const step = (billingCycleSequence: number, commissionAmount = 0n) => ({ billingCycleSequence, commissionAmount })
const check = (input: Partial<AffiliateLinkInput>) => checkAffiliateLink({ ...link, ...input })

describe('an affiliate link', () => {
  it.each<[string, Partial<AffiliateLinkInput>]>([
    ['the minimum of every field', { walletId: 'x', code: '-', trackingLengthDays: 0, commissionAmount: 0n }],
    [
      'the maximum of every field',
      {
        walletId: '🦊'.repeat(255),
        code: 'Az09_-'.padEnd(64, 'x'),
        trackingLengthDays: 3650,
        discountType: 'percentage',
        discountAmount: 1000n,
        commissionType: 'fixed',
        commissionAmount: most,
        commissionAmountSteps: Array.from({ length: 25 }, (_, n) => step(2 ** 31 - 1 - n, most)),
      },
    ],
    [
      'zero amounts without a commission',
      { commissionType: 'none', commissionAmount: 0n, commissionAmountSteps: [step(1), step(2)] },
    ],
  ])('may have %s', (_what, input) => {
    expect(check(input)).toEqual({ ...link, ...input })
  })

  it('keeps the order of its steps', () => {
    const commissionAmountSteps = [step(3, 5n), step(1, 7n)]
    expect(check({ commissionAmountSteps })).toMatchObject({ commissionAmountSteps })
  })

  it.each<[string, Partial<AffiliateLinkInput>, string[]]>([
    ['without a wallet', { walletId: '' }, ['wallet_id length']],
    ['with a wallet of 256 characters', { walletId: 'x'.repeat(256) }, ['wallet_id length']],
    ['with NUL in its wallet', { walletId: 'a\0' }, ['wallet_id pattern']],
    ['without a code', { code: '' }, ['code pattern']],
    ['with a code of 65 characters', { code: 'x'.repeat(65) }, ['code pattern']],
    ['with a code that has a line end', { code: 'x\n' }, ['code pattern']],
    ['with an invalid referer type', { refererType: 'invalid' }, ['referer_type enum']],
    ['with a negative tracking length', { trackingLengthDays: -1 }, ['tracking_length_days min']],
    ['with a tracking length of over ten years', { trackingLengthDays: 3651 }, ['tracking_length_days max']],
    ['with an invalid discount type', { discountType: 'invalid', discountAmount: 7n }, ['discount_type enum']],
    ['with a negative discount', { discountType: 'fixed', discountAmount: -1n }, ['discount_amount min']],
    ['with a discount amount without a discount type', { discountAmount: 1n }, ['discount_amount max']],
    [
      'with a discount of more than 100 %',
      { discountType: 'percentage', discountAmount: 1001n },
      ['discount_amount max'],
    ],
    [
      'with a discount above the largest safe integer',
      { discountType: 'fixed', discountAmount: most + 1n },
      ['discount_amount max'],
    ],
    ['with a commission of more than 100 %', { commissionAmount: 1001n }, ['commission_amount max']],
    [
      'with 26 steps',
      { commissionAmountSteps: Array.from({ length: 26 }, (_, n) => step(n + 1)) },
      ['commission_amount_steps length'],
    ],
    [
      'with a duplicate billing cycle',
      { commissionAmountSteps: [step(2), step(2), step(1), step(2)] },
      [
        'commission_amount_steps.1.billing_cycle_sequence unique',
        'commission_amount_steps.3.billing_cycle_sequence unique',
      ],
    ],
    [
      'with steps out of range',
      { commissionAmountSteps: [step(0), step(1, -1n), step(2, 1001n)] },
      [
        'commission_amount_steps.0.billing_cycle_sequence min',
        'commission_amount_steps.1.commission_amount min',
        'commission_amount_steps.2.commission_amount max',
      ],
    ],
    [
      'with commission amounts without a commission type',
      { commissionType: 'none', commissionAmount: 1n, commissionAmountSteps: [step(1, 1n)] },
      ['commission_amount max', 'commission_amount_steps.0.commission_amount max'],
    ],
    [
      'with several invalid fields',
      {
        walletId: '',
        code: 'ä',
        refererType: 'invalid',
        trackingLengthDays: -1,
        discountType: 'invalid',
        discountAmount: -1n,
        commissionType: 'invalid',
        commissionAmount: -1n,
        commissionAmountSteps: [step(0, -1n)],
      },
      [
        'wallet_id length',
        'code pattern',
        'referer_type enum',
        'tracking_length_days min',
        'discount_type enum',
        'discount_amount min',
        'commission_type enum',
        'commission_amount min',
        'commission_amount_steps.0.billing_cycle_sequence min',
        'commission_amount_steps.0.commission_amount min',
      ],
    ],
  ])('%s is rejected', (_what, input, expected) => {
    expect(violationsIn(() => check(input))).toEqual(expected)
  })
})

describe('a rejected amount', () => {
  it.each<[Partial<AffiliateLinkInput>, string]>([
    [{ discountAmount: 1n }, 'discount_amount: must be 0 because discount_type is none'],
    [{ commissionAmount: 1001n }, 'commission_amount: must be at most 1000, which is 100 %'],
    [{ discountType: 'fixed', discountAmount: most + 1n }, 'discount_amount: must be at most 9007199254740991'],
  ])('names the largest amount of its type', (input, message) => {
    expect(() => check(input)).toThrow(message)
  })
})
