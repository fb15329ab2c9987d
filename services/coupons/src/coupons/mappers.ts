import { create } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { actorFromText, enumFromProto, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import {
  type Coupon,
  CouponInputSchema,
  CouponDiscountType as ProtoDiscount,
  CouponDuration as ProtoDuration,
  type CouponInput as ProtoInput,
} from '@storekeep/proto/coupons/v1/coupon'
import {
  type ListCouponsRequest,
  CouponStatusFilter as ProtoStatus,
  CouponTypeFilter as ProtoType,
} from '@storekeep/proto/coupons/v1/coupons_service'
import type { CouponRow } from './db/schema.ts'
import { type CouponDuration, couponDefaults, type DiscountType } from './domain/coupon.ts'
import type { CouponInput } from './domain/coupon-draft.ts'
import type { CouponFilter } from './domain/coupon-filter.ts'

/** An absent input has no fields set. */
export function couponInputFromProto(input: ProtoInput = create(CouponInputSchema)): CouponInput {
  return {
    enabled: input.enabled ?? couponDefaults.enabled,
    code: input.code,
    note: input.note ?? null,
    duration: enumFromProto(durationToProto, input.duration) ?? couponDefaults.duration,
    durationInMonths: input.durationInMonths ?? null,
    durationInIntervals: input.durationInIntervals ?? null,
    discountType: enumFromProto(discountToProto, input.discountType),
    discountAmount: input.discountAmount,
    discountApplyIndividually: input.discountApplyIndividually,
    discountApplyBeforeSales: input.discountApplyBeforeSales,
    applyToProducts: input.applyToProducts,
    applyToTags: input.applyToTags,
    usableByCustomerId: input.usableByCustomerId ?? null,
    minimumOrderValue: input.minimumOrderValue,
    redeemLimitStoreEnabled: input.redeemLimitStoreEnabled,
    redeemLimitStoreAmount: input.redeemLimitStoreAmount,
    redeemLimitCustomerEnabled: input.redeemLimitCustomerEnabled,
    redeemLimitCustomerAmount: input.redeemLimitCustomerAmount,
    usableOnOneTimePurchase: input.usableOnOneTimePurchase ?? couponDefaults.usableOnOneTimePurchase,
    usableOnSubscription: input.usableOnSubscription ?? couponDefaults.usableOnSubscription,
    usableAt: input.usableAt ? timestampDate(input.usableAt) : null,
    expiresAt: input.expiresAt ? timestampDate(input.expiresAt) : null,
  }
}

export function couponFilterFromProto({ status, type, usableByCustomerId }: ListCouponsRequest): CouponFilter {
  return { status: statusFromProto[status], type: typeFromProto[type], usableByCustomerId }
}

export function couponToProto(row: CouponRow): Coupon {
  return {
    $typeName: 'storekeep.coupons.v1.Coupon',
    id: row.id,
    storeId: row.storeId,
    versionId: row.versionId,
    enabled: row.enabled,
    code: row.code,
    note: row.note ?? undefined,
    duration: durationToProto[row.duration],
    durationInMonths: row.durationInMonths ?? undefined,
    durationInIntervals: row.durationInIntervals ?? undefined,
    discountType: discountToProto[row.discountType],
    discountAmount: row.discountAmount,
    discountApplyIndividually: row.discountApplyIndividually,
    discountApplyBeforeSales: row.discountApplyBeforeSales,
    applyToProducts: [...row.applyToProducts],
    applyToTags: [...row.applyToTags],
    usableByCustomerId: row.usableByCustomerId ?? undefined,
    minimumOrderValue: row.minimumOrderValue,
    redeemLimitStoreEnabled: row.redeemLimitStoreEnabled,
    redeemLimitStoreAmount: row.redeemLimitStoreAmount,
    redeemLimitCustomerEnabled: row.redeemLimitCustomerEnabled,
    redeemLimitCustomerAmount: row.redeemLimitCustomerAmount,
    usableOnOneTimePurchase: row.usableOnOneTimePurchase,
    usableOnSubscription: row.usableOnSubscription,
    usableAt: timestampOrAbsent(row.usableAt),
    expiresAt: timestampOrAbsent(row.expiresAt),
    createdBy: actorFromText(row.createdBy),
    createdAt: timestampFromDate(row.createdAt),
    updatedBy: row.updatedBy === null ? undefined : actorFromText(row.updatedBy),
    updatedAt: timestampOrAbsent(row.updatedAt),
    version: BigInt(row.version),
  }
}

const statusFromProto: Record<ProtoStatus, CouponFilter['status']> = {
  [ProtoStatus.UNSPECIFIED]: undefined,
  [ProtoStatus.ACTIVE]: 'active',
  [ProtoStatus.INACTIVE]: 'inactive',
}

const typeFromProto: Record<ProtoType, CouponFilter['type']> = {
  [ProtoType.UNSPECIFIED]: undefined,
  [ProtoType.MANUAL]: 'manual',
  [ProtoType.GENERATED]: 'generated',
}

export const durationToProto = {
  once: ProtoDuration.ONCE,
  forever: ProtoDuration.FOREVER,
  repeating: ProtoDuration.REPEATING,
} as const satisfies Record<CouponDuration, ProtoDuration>

const discountToProto = {
  percent: ProtoDiscount.PERCENT,
  amount: ProtoDiscount.AMOUNT,
} as const satisfies Record<DiscountType, ProtoDiscount>
