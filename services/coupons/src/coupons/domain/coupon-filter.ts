import { requireFlakeId } from '@storekeep/common/flake'

/** Which coupons are listed. An absent member restricts nothing. */
export interface CouponFilter {
  /** Active: enabled, started and not expired. */
  status: 'active' | 'inactive' | undefined
  /** Generated: made by the product itself. */
  type: 'manual' | 'generated' | undefined
  usableByCustomerId: string | undefined
}

/** @throws ServiceFault `validation-failed` for what is no id */
export function checkFilter(filter: CouponFilter): CouponFilter {
  if (filter.usableByCustomerId !== undefined) requireFlakeId('usable_by_customer_id', filter.usableByCustomerId)
  return filter
}
