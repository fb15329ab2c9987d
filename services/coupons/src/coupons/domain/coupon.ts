/** A coupon in one store. Ids are decimal strings; null is "has none". */
export interface Coupon extends CouponState {
  id: string
  storeId: string
  /** Another one after each change. */
  versionId: string
}

/** What may change in a coupon: its terms. */
export interface CouponState {
  enabled: boolean
  /** Trimmed, as it is shown. */
  code: string
  note: string | null
  duration: CouponDuration
  /** How long a repeating coupon repeats: one of the two is set, for others neither. */
  durationInMonths: number | null
  durationInIntervals: number | null
  discountType: DiscountType
  /** Permille or minor units. */
  discountAmount: bigint
  discountApplyIndividually: boolean
  discountApplyBeforeSales: boolean
  /** None twice; with both lists empty it applies to the whole order. */
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

/** What a new coupon is unless its creator says otherwise (contract "Coupons"); other optional fields are empty. */
export const couponDefaults = {
  enabled: true,
  duration: 'once',
  usableOnOneTimePurchase: true,
  usableOnSubscription: true,
} as const satisfies Partial<CouponState>

export const discountTypes = ['percent', 'amount'] as const
export type DiscountType = (typeof discountTypes)[number]
