import { describe, expect, it } from 'vitest'
import { type CouponLimits, refusalFor } from './redemption.ts'

const limits = (store: bigint | undefined, customer: bigint | undefined): CouponLimits => ({
  redeemLimitStoreEnabled: store !== undefined,
  redeemLimitStoreAmount: store ?? 1n,
  redeemLimitCustomerEnabled: customer !== undefined,
  redeemLimitCustomerAmount: customer ?? 1n,
})

describe('one more redemption', () => {
  it.each<[string, CouponLimits, bigint, bigint, string | undefined]>([
    ['without limits has room', limits(undefined, undefined), 10n ** 9n, 10n ** 9n, undefined],
    ['below the limit of the store has room', limits(3n, undefined), 2n, 2n, undefined],
    ['at the limit of the store has none', limits(3n, undefined), 3n, 0n, 'exhausted'],
    ['above a limit that was lowered has none', limits(3n, undefined), 9n, 0n, 'exhausted'],
    ['below the limit of the customer has room', limits(undefined, 2n), 9n, 1n, undefined],
    ['at the limit of the customer has none', limits(undefined, 2n), 9n, 2n, 'customer_limit'],
    ['at both limits is refused for the one of the store', limits(3n, 2n), 3n, 2n, 'exhausted'],
  ])('%s', (_what, given, byAll, byCustomer, refusal) => {
    expect(refusalFor(given, { byAll, byCustomer })).toBe(refusal)
  })
})
