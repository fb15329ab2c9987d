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
  /** One of the two is set for a repeating coupon, neither otherwise. */
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
