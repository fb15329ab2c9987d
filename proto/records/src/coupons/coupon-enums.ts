import {
  CouponDiscountType as ProtoDiscountType,
  CouponDuration as ProtoDuration,
} from '@storekeep/proto/coupons/v1/coupon'
import {
  CouponStatusFilter as ProtoStatus,
  CouponTypeFilter as ProtoType,
} from '@storekeep/proto/coupons/v1/coupons_service'
import { z } from 'zod'
import { namesOf } from '../schemas/enums.ts'
import { sameSchemaAs } from '../schemas/same-schema-as.ts'

export const durationValues = {
  once: ProtoDuration.ONCE,
  forever: ProtoDuration.FOREVER,
  repeating: ProtoDuration.REPEATING,
} as const satisfies Record<string, ProtoDuration>

/** Types that a new coupon can have. */
export const discountTypeValues = {
  percent: ProtoDiscountType.PERCENT,
  amount: ProtoDiscountType.AMOUNT,
} as const satisfies Record<string, ProtoDiscountType>

export const statusValues = {
  all: ProtoStatus.UNSPECIFIED,
  active: ProtoStatus.ACTIVE,
  inactive: ProtoStatus.INACTIVE,
} as const satisfies Record<string, ProtoStatus>

export const typeValues = {
  all: ProtoType.UNSPECIFIED,
  manual: ProtoType.MANUAL,
  generated: ProtoType.GENERATED,
} as const satisfies Record<string, ProtoType>

export const couponDuration = z.enum(namesOf(durationValues)).meta({
  id: 'CouponDurationDto',
  description:
    'How long a discount applies to a subscription: `once`, `forever`, or for a number of months or intervals.',
})
export const couponStatus = z.enum(namesOf(statusValues)).meta({
  id: 'CouponFilterStatusDto',
  description: '`active`: enabled, started and not expired; `inactive`: all other coupons; `all`: both.',
})
export const couponType = z.enum(namesOf(typeValues)).meta({
  id: 'CouponFilterTypeDto',
  description: '`generated`: created by the system itself; `manual`: created by other callers; `all`: both.',
})

export const discountType = z.enum(['unspecified', ...namesOf(discountTypeValues)]).meta({
  id: 'CouponDiscountTypeDto',
  description: '`percent` or `amount`. `unspecified` is rejected and never returned.',
})

/** Documented as the type of a coupon that was read, so that clients can write it back. */
export const newDiscountType = z
  .enum(namesOf(discountTypeValues))
  .meta({ override: sameSchemaAs('CouponDiscountTypeDto', ['description']) })
