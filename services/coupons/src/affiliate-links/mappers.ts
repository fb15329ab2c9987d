import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { actorFromText, enumFromProto, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import {
  AffiliateLinkInputSchema,
  type AffiliateLinkSchema,
  AmountType as ProtoAmountType,
  type AffiliateLinkInput as ProtoInput,
  RefererType as ProtoRefererType,
} from '@storekeep/proto/coupons/v1/affiliate_link'
import type { AffiliateLinkRow } from './db/schema.ts'
import type { AmountType, RefererType } from './domain/affiliate-link.ts'
import type { AffiliateLinkInput } from './domain/affiliate-link-draft.ts'

/** An absent input has no fields set. */
export function affiliateLinkInputFromProto(input: ProtoInput = create(AffiliateLinkInputSchema)): AffiliateLinkInput {
  return {
    walletId: input.walletId,
    enabled: input.enabled,
    code: input.code,
    refererType: enumFromProto(refererTypeToProto, input.refererType),
    trackingLengthDays: input.trackingLengthDays,
    applyForSubscriptions: input.applyForSubscriptions,
    discountType: enumFromProto(amountTypeToProto, input.discountType),
    discountAmount: input.discountAmount,
    commissionType: enumFromProto(amountTypeToProto, input.commissionType),
    commissionAmount: input.commissionAmount,
    commissionAmountSteps: input.commissionAmountSteps.map(({ billingCycleSequence, commissionAmount }) => ({
      billingCycleSequence,
      commissionAmount,
    })),
    lastCommissionAmountStepRepeats: input.lastCommissionAmountStepRepeats,
  }
}

export function affiliateLinkToProto(row: AffiliateLinkRow): MessageInitShape<typeof AffiliateLinkSchema> {
  return present({
    id: row.id,
    storeId: row.storeId,
    walletId: row.walletId,
    enabled: row.enabled,
    code: row.code,
    refererType: refererTypeToProto[row.refererType],
    trackingLengthDays: row.trackingLengthDays,
    applyForSubscriptions: row.applyForSubscriptions,
    discountType: amountTypeToProto[row.discountType],
    discountAmount: row.discountAmount,
    commissionType: amountTypeToProto[row.commissionType],
    commissionAmount: row.commissionAmount,
    commissionAmountSteps: [...row.commissionAmountSteps],
    lastCommissionAmountStepRepeats: row.lastCommissionAmountStepRepeats,
    createdBy: actorFromText(row.createdBy),
    createdAt: timestampFromDate(row.createdAt),
    updatedBy: row.updatedBy === null ? undefined : actorFromText(row.updatedBy),
    updatedAt: timestampOrAbsent(row.updatedAt),
    version: BigInt(row.version),
  })
}

const refererTypeToProto = {
  first_referer: ProtoRefererType.FIRST_REFERER,
  last_referer: ProtoRefererType.LAST_REFERER,
} as const satisfies Record<RefererType, ProtoRefererType>

const amountTypeToProto = {
  none: ProtoAmountType.NONE,
  fixed: ProtoAmountType.FIXED,
  percentage: ProtoAmountType.PERCENTAGE,
} as const satisfies Record<AmountType, ProtoAmountType>
