import { requireFlakeId } from '@storekeep/common/flake'

/** Which coupons are listed. An absent field does not restrict the list. */
export interface CouponFilter {
  /** Active: enabled, started and not expired. */
  status: 'active' | 'inactive' | undefined
  /** Generated: created by Storekeep itself. */
  type: 'manual' | 'generated' | undefined
  usableByCustomerId: string | undefined
}

/** @throws ServiceFault `validation-failed` for a malformed id */
export function checkCouponFilter(filter: CouponFilter): CouponFilter {
  if (filter.usableByCustomerId !== undefined) requireFlakeId('usable_by_customer_id', filter.usableByCustomerId)
  return filter
}
