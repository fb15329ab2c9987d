import { AmountType, RefererType } from '@storekeep/proto/coupons/v1/affiliate_link'

export const refererTypeNames = ['first_referer', 'last_referer'] as const

export const refererTypeValues = {
  first_referer: RefererType.FIRST_REFERER,
  last_referer: RefererType.LAST_REFERER,
} as const satisfies Record<(typeof refererTypeNames)[number], RefererType>

export const amountTypeNames = ['none', 'fixed', 'percentage'] as const

export const amountTypeValues = {
  none: AmountType.NONE,
  fixed: AmountType.FIXED,
  percentage: AmountType.PERCENTAGE,
} as const satisfies Record<(typeof amountTypeNames)[number], AmountType>
