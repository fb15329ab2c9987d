import type { AffiliateLink } from '@storekeep/proto/coupons/v1/affiliate_link'
import { z } from 'zod'
import { actorDto, actorDtoSchema, actorExample } from '../../schemas/actor.ts'
import { nameOf } from '../../schemas/enums.ts'
import { flakeId, int32, int64 } from '../../schemas/fields.ts'
import { dateTime, printTime } from '../../schemas/times.ts'
import { newAffiliateLinkExample } from './affiliate-link-input.ts'
import { amountTypeNames, amountTypeValues, refererTypeNames, refererTypeValues } from './affiliate-link-types.ts'

export const affiliateLinkDtoSchema = z
  .object({
    id: flakeId,
    store_id: flakeId,
    wallet_id: z.string(),
    enabled: z.boolean(),
    code: z.string(),
    referer_type: z.enum([...refererTypeNames, 'invalid']),
    tracking_length_days: int32(0),
    apply_for_subscriptions: z.boolean(),
    discount_type: z.enum(amountTypeNames),
    discount_amount: int64(0),
    commission_type: z.enum(amountTypeNames),
    commission_amount: int64(0),
    commission_amount_steps: z.array(z.object({ billing_cycle_sequence: int32(1), commission_amount: int64(0) })),
    last_commission_amount_step_repeats: z.boolean(),
    created_by: actorDtoSchema,
    created_at: dateTime,
    updated_by: actorDtoSchema.nullable(),
    updated_at: dateTime.nullable(),
  })
  .meta({ id: 'AffiliateLinkDto' })

export type AffiliateLinkDto = z.input<typeof affiliateLinkDtoSchema>

/** An affiliate link as the public interface prints it; what has no value is null. */
export function affiliateLinkDto(link: AffiliateLink | undefined): AffiliateLinkDto {
  if (!link?.createdAt) throw new Error('A service answered without the affiliate link.')
  return {
    id: link.id,
    store_id: link.storeId,
    wallet_id: link.walletId,
    enabled: link.enabled,
    code: link.code,
    referer_type: nameOf(refererTypeValues, link.refererType, 'invalid'),
    tracking_length_days: link.trackingLengthDays,
    apply_for_subscriptions: link.applyForSubscriptions,
    discount_type: nameOf(amountTypeValues, link.discountType),
    discount_amount: Number(link.discountAmount),
    commission_type: nameOf(amountTypeValues, link.commissionType),
    commission_amount: Number(link.commissionAmount),
    commission_amount_steps: link.commissionAmountSteps.map(({ billingCycleSequence, commissionAmount }) => ({
      billing_cycle_sequence: billingCycleSequence,
      commission_amount: Number(commissionAmount),
    })),
    last_commission_amount_step_repeats: link.lastCommissionAmountStepRepeats,
    created_by: actorDto(link.createdBy),
    created_at: printTime(link.createdAt),
    updated_by: link.updatedBy ? actorDto(link.updatedBy) : null,
    updated_at: printTime(link.updatedAt),
  }
}

export const affiliateLinkExample: AffiliateLinkDto = {
  id: '411486491630370823',
  store_id: '411486491596816384',
  ...newAffiliateLinkExample,
  created_by: actorExample,
  created_at: '2026-11-20T14:35:17.000Z',
  updated_by: null,
  updated_at: null,
}
