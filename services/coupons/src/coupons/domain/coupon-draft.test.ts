import { violationsIn } from '@storekeep/common/testing/faults'
import { describe, expect, it } from 'vitest'
import { type CouponInput, checkCoupon } from './coupon-draft.ts'

const minimal: CouponInput = {
  enabled: true,
  code: 'SUMMER',
  note: null,
  duration: 'once',
  durationInMonths: null,
  durationInIntervals: null,
  discountType: 'percent',
  discountAmount: 1n,
  discountApplyIndividually: false,
  discountApplyBeforeSales: false,
  applyToProducts: [],
  applyToTags: [],
  usableByCustomerId: null,
  minimumOrderValue: 0n,
  redeemLimitStoreEnabled: false,
  redeemLimitStoreAmount: 0n,
  redeemLimitCustomerEnabled: false,
  redeemLimitCustomerAmount: 0n,
  usableOnOneTimePurchase: true,
  usableOnSubscription: false,
  usableAt: null,
  expiresAt: null,
}

/** "path validation" of each violation. */
function wrongIn(change: Partial<CouponInput>): string[] {
  return violationsIn(() => checkCoupon({ ...minimal, ...change }))
}

const max = 2n ** 53n - 1n
const noon = new Date('2026-11-20T12:00:00Z')
const justAfter = new Date('2026-11-20T12:00:00.001Z')

describe('the terms of a coupon', () => {
  it('keep their values, except that the code is trimmed and duplicate ids are removed', () => {
    const given = { code: ' \tSummer sale\n', applyToProducts: ['2', '1', '2'], applyToTags: ['3', '3'] }
    const expected = { code: 'Summer sale', applyToProducts: ['2', '1'], applyToTags: ['3'] }
    expect(checkCoupon({ ...minimal, ...given })).toEqual({ ...minimal, ...expected })
  })

  it.each<Partial<CouponInput>>([
    {},
    { code: '🦊'.repeat(64) },
    { note: '' },
    { note: '🦊'.repeat(1000) },
    { duration: 'forever' },
    { duration: 'repeating', durationInMonths: 1 },
    { duration: 'repeating', durationInIntervals: 1 },
    { discountAmount: 1000n },
    { discountType: 'amount', discountAmount: max },
    { applyToProducts: Array.from({ length: 1000 }, (_, n) => `${n + 1}`) },
    { usableByCustomerId: '9223372036854775807' },
    { minimumOrderValue: max, redeemLimitStoreAmount: max, redeemLimitCustomerAmount: max },
    { redeemLimitStoreEnabled: true, redeemLimitStoreAmount: 1n },
    { redeemLimitCustomerEnabled: true, redeemLimitCustomerAmount: 1n },
    { usableOnOneTimePurchase: false, usableOnSubscription: true },
    { usableAt: noon, expiresAt: justAfter },
    { expiresAt: new Date(0) },
  ])('are valid with %o', (change) => {
    expect(wrongIn(change)).toEqual([])
  })

  it.each<[Partial<CouponInput>, string]>([
    [{ code: ' \n' }, 'code required'],
    [{ code: '🦊'.repeat(65) }, 'code length'],
    [{ code: 'a\0b' }, 'code pattern'],
    [{ note: 'x'.repeat(1001) }, 'note length'],
    [{ note: '\0' }, 'note pattern'],
    [{ duration: 'invalid', durationInMonths: 2 }, 'duration enum'],
    [{ duration: 'repeating' }, 'duration_in_months required'],
    [{ duration: 'repeating', durationInMonths: 0 }, 'duration_in_months min'],
    [{ duration: 'repeating', durationInIntervals: -1 }, 'duration_in_intervals min'],
    [{ duration: 'repeating', durationInMonths: 1, durationInIntervals: 1 }, 'duration_in_intervals exclusive'],
    [{ durationInMonths: 1 }, 'duration_in_months exclusive'],
    [{ duration: 'forever', durationInIntervals: 1 }, 'duration_in_intervals exclusive'],
    [{ discountType: 'invalid' }, 'discount_type enum'],
    [{ discountAmount: 0n }, 'discount_amount min'],
    [{ discountAmount: 1001n }, 'discount_amount max'],
    [{ discountType: 'amount', discountAmount: 0n }, 'discount_amount min'],
    [{ discountType: 'amount', discountAmount: max + 1n }, 'discount_amount max'],
    [{ applyToProducts: ['1', '0'] }, 'apply_to_products.1 format'],
    [{ applyToTags: Array(1001).fill('1') }, 'apply_to_tags length'],
    [{ usableByCustomerId: '01' }, 'usable_by_customer_id format'],
    [{ minimumOrderValue: -1n }, 'minimum_order_value min'],
    [{ minimumOrderValue: max + 1n }, 'minimum_order_value max'],
    [{ redeemLimitStoreEnabled: true }, 'redeem_limit_store_amount min'],
    [{ redeemLimitStoreAmount: -1n }, 'redeem_limit_store_amount min'],
    [{ redeemLimitCustomerEnabled: true }, 'redeem_limit_customer_amount min'],
    [{ redeemLimitCustomerAmount: -1n }, 'redeem_limit_customer_amount min'],
    [{ usableOnOneTimePurchase: false }, 'usable_on_one_time_purchase required'],
    [{ usableAt: noon, expiresAt: noon }, 'expires_at min'],
  ])('are invalid with %o', (change, violation) => {
    expect(wrongIn(change)).toEqual([violation])
  })
})
