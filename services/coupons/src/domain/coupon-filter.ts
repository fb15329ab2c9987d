/** Which coupons are listed. An absent member restricts nothing. */
export interface CouponFilter {
  /** Active: enabled, started and not expired. */
  status: 'active' | 'inactive' | undefined
  /** Generated: made by the product itself. */
  type: 'manual' | 'generated' | undefined
  usableByCustomerId: string | undefined
}
