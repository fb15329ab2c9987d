/** One use of a coupon by one checkout. */
export interface Redemption {
  id: string
  storeId: string
  checkoutId: string
  couponId: string
  /** The version whose terms the checkout was priced with. */
  couponVersionId: string
  customerId: string
  state: RedemptionState
  /** When a reservation falls away by itself. */
  expiresAt: Date
  createdAt: Date
}

/** Reserved and confirmed ones count against the limits. */
export type RedemptionState = 'reserved' | 'confirmed' | 'released' | 'expired'

/** Why a checkout does not get a place; see the proto. */
export type Refusal = 'exhausted' | 'customer_limit' | 'changed' | 'released' | 'unknown'

/** How often a coupon may be redeemed. */
export interface CouponLimits {
  redeemLimitStoreEnabled: boolean
  redeemLimitStoreAmount: bigint
  redeemLimitCustomerEnabled: boolean
  redeemLimitCustomerAmount: bigint
}

/** How often a coupon is redeemed: by all, and by the customer in question. */
export interface CouponUsage {
  byAll: bigint
  byCustomer: bigint
}

/** Why there is no room for one more; undefined when there is. A limit that was lowered below its usage has none. */
export function refusalFor(limits: CouponLimits, { byAll, byCustomer }: CouponUsage): Refusal | undefined {
  if (limits.redeemLimitStoreEnabled && byAll >= limits.redeemLimitStoreAmount) return 'exhausted'
  if (limits.redeemLimitCustomerEnabled && byCustomer >= limits.redeemLimitCustomerAmount) return 'customer_limit'
  return undefined
}
