/** One use of a coupon by one checkout. */
export interface Redemption {
  id: string
  storeId: string
  checkoutId: string
  couponId: string
  /** The coupon version that decided the discount. */
  couponVersionId: string
  customerId: string
  state: RedemptionState
  /** When an unconfirmed reservation ends. */
  expiresAt: Date
  createdAt: Date
}

/** Reserved and confirmed redemptions count against the limits. */
export type RedemptionState = 'reserved' | 'confirmed' | 'released' | 'expired'

/** Which limit is reached. */
export type LimitRejection = 'exhausted' | 'customer_limit'

/** Why a redemption cannot be confirmed; see the proto. */
export const rejections = ['exhausted', 'customer_limit', 'coupon_deleted', 'released', 'unknown'] as const
export type Rejection = (typeof rejections)[number]

/** How often a coupon may be redeemed. */
export interface CouponLimits {
  redeemLimitStoreEnabled: boolean
  redeemLimitStoreAmount: bigint
  redeemLimitCustomerEnabled: boolean
  redeemLimitCustomerAmount: bigint
}

/** How often a coupon is redeemed: by all customers, and by the customer in question. */
export interface CouponUsage {
  byAll: bigint
  byCustomer: bigint
}

/** Why the limits do not allow one more redemption; undefined if they do. */
export function rejectionFor(limits: CouponLimits, { byAll, byCustomer }: CouponUsage): LimitRejection | undefined {
  if (limits.redeemLimitStoreEnabled && byAll >= limits.redeemLimitStoreAmount) return 'exhausted'
  if (limits.redeemLimitCustomerEnabled && byCustomer >= limits.redeemLimitCustomerAmount) return 'customer_limit'
  return undefined
}
