/** A coupon of a store. Ids are decimal strings; null means none. */
export interface Coupon extends CouponState {
  id: string
  storeId: string
  /** Changes with every update. */
  versionId: string
}

/** The terms of a coupon. */
export interface CouponState {
  enabled: boolean
  /** Trimmed, as displayed. */
  code: string
  note: string | null
  duration: CouponDuration
  /** Either months or intervals are set for a repeating coupon, neither otherwise. */
  durationInMonths: number | null
  durationInIntervals: number | null
  discountType: DiscountType
  /** Permille or minor units. */
  discountAmount: bigint
  discountApplyIndividually: boolean
  discountApplyBeforeSales: boolean
  /** Unique ids. If both lists are empty, the coupon applies to the whole order. */
  applyToProducts: readonly string[]
  applyToTags: readonly string[]
  usableByCustomerId: string | null
  minimumOrderValue: bigint
  redeemLimitStoreEnabled: boolean
  redeemLimitStoreAmount: bigint
  redeemLimitCustomerEnabled: boolean
  redeemLimitCustomerAmount: bigint
  usableOnOneTimePurchase: boolean
  usableOnSubscription: boolean
  usableAt: Date | null
  expiresAt: Date | null
}

/** The terms of a coupon, with their names in the API and in the table. */
export const couponFields = {
  enabled: 'enabled',
  code: 'code',
  note: 'note',
  duration: 'duration',
  durationInMonths: 'duration_in_months',
  durationInIntervals: 'duration_in_intervals',
  discountType: 'discount_type',
  discountAmount: 'discount_amount',
  discountApplyIndividually: 'discount_apply_individually',
  discountApplyBeforeSales: 'discount_apply_before_sales',
  applyToProducts: 'apply_to_products',
  applyToTags: 'apply_to_tags',
  usableByCustomerId: 'usable_by_customer_id',
  minimumOrderValue: 'minimum_order_value',
  redeemLimitStoreEnabled: 'redeem_limit_store_enabled',
  redeemLimitStoreAmount: 'redeem_limit_store_amount',
  redeemLimitCustomerEnabled: 'redeem_limit_customer_enabled',
  redeemLimitCustomerAmount: 'redeem_limit_customer_amount',
  usableOnOneTimePurchase: 'usable_on_one_time_purchase',
  usableOnSubscription: 'usable_on_subscription',
  usableAt: 'usable_at',
  expiresAt: 'expires_at',
} as const satisfies Record<keyof CouponState, string>

export const couponDurations = ['once', 'forever', 'repeating'] as const
export type CouponDuration = (typeof couponDurations)[number]

/** The defaults of a new coupon (contract "Coupons"); other optional fields are empty. */
export const couponDefaults = {
  enabled: true,
  duration: 'once',
  usableOnOneTimePurchase: true,
  usableOnSubscription: true,
} as const satisfies Partial<CouponState>

export const discountTypes = ['percent', 'amount'] as const
export type DiscountType = (typeof discountTypes)[number]
