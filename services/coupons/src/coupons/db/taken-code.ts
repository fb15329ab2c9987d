import type { UniqueRule } from '@storekeep/common/postgres'

/** No two coupons of a store have the same code, in any case. */
export const takenCode: UniqueRule = {
  paths: { coupon_code_unique: 'code' },
  message: 'Another coupon of the store has this code.',
  problem: 'belongs to another coupon of the store',
}
