import type { UniqueRule } from '@storekeep/common/postgres'

/** The codes of the coupons of a store are unique, ignoring case. */
export const takenCode: UniqueRule = {
  paths: { coupon_code_unique: 'code' },
  message: 'Another coupon of this store has this code.',
  problem: 'belongs to another coupon of this store',
}
