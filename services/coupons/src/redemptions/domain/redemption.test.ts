import { describe, expect, it } from 'vitest'
import { type CouponLimits, rejectionFor } from './redemption.ts'

const limits = (store: bigint | undefined, customer: bigint | undefined): CouponLimits => ({
  redeemLimitStoreEnabled: store !== undefined,
  redeemLimitStoreAmount: store ?? 1n,
  redeemLimitCustomerEnabled: customer !== undefined,
  redeemLimitCustomerAmount: customer ?? 1n,
})

describe('another redemption', () => {
  it.each<[string, CouponLimits, bigint, bigint, string | undefined]>([
    ['is allowed without limits', limits(undefined, undefined), 10n ** 9n, 10n ** 9n, undefined],
    ['is allowed below the limit of the store', limits(3n, undefined), 2n, 2n, undefined],
    ['is rejected at the limit of the store', limits(3n, undefined), 3n, 0n, 'exhausted'],
    ['is rejected above a lowered limit', limits(3n, undefined), 9n, 0n, 'exhausted'],
    ['is allowed below the limit of the customer', limits(undefined, 2n), 9n, 1n, undefined],
    ['is rejected at the limit of the customer', limits(undefined, 2n), 9n, 2n, 'customer_limit'],
    ['is rejected for the limit of the store when both are reached', limits(3n, 2n), 3n, 2n, 'exhausted'],
  ])('%s', (_what, given, byAll, byCustomer, rejection) => {
    expect(rejectionFor(given, { byAll, byCustomer })).toBe(rejection)
  })
})
