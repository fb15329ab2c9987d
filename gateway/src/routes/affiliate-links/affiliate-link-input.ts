import { present } from '@storekeep/common/message'
import { affiliateLinkLimits } from '@storekeep/proto/conventions/limits'
import { affiliateLinkText } from '@storekeep/records/affiliate-links/affiliate-link-dto'
import {
  amountType,
  amountTypeValues,
  commissionStep,
  newRefererType,
  refererTypeValues,
} from '@storekeep/records/affiliate-links/affiliate-link-types'
import { fails, int32, int64, text } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

const { codeLength, commissionSteps, trackingDays, walletIdLength } = affiliateLinkLimits

const amount = int64(0)

const fields = {
  wallet_id: text(1, walletIdLength).describe(affiliateLinkText.wallet_id),
  enabled: z.boolean().describe(affiliateLinkText.enabled),
  code: z
    .string()
    .refine(
      (code) => /^[A-Za-z0-9_-]*$/.test(code),
      fails('pattern', 'must consist of letters, digits, "_" and "-" only'),
    )
    .refine(
      (code) => code.length >= 1 && code.length <= codeLength,
      fails('length', `must have 1 to ${codeLength} characters`),
    )
    .meta({ description: affiliateLinkText.code, override: { pattern: `^[A-Za-z0-9_-]{1,${codeLength}}$` } }),
  referer_type: newRefererType.describe(affiliateLinkText.referer_type),
  tracking_length_days: int32(0, trackingDays).describe(affiliateLinkText.tracking_length_days),
  apply_for_subscriptions: z.boolean().describe(affiliateLinkText.apply_for_subscriptions),
  discount_type: amountType.describe(affiliateLinkText.discount_type),
  discount_amount: amount.describe(affiliateLinkText.discount_amount),
  commission_type: amountType.describe(affiliateLinkText.commission_type),
  commission_amount: amount.describe(affiliateLinkText.commission_amount),
  commission_amount_steps: z
    .array(commissionStep)
    .max(commissionSteps)
    .describe(affiliateLinkText.commission_amount_steps),
  last_commission_amount_step_repeats: z.boolean().describe(affiliateLinkText.last_commission_amount_step_repeats),
}

export const newAffiliateLink = z
  .object({
    ...fields,
    commission_amount_steps: fields.commission_amount_steps
      .optional()
      .describe(`${affiliateLinkText.commission_amount_steps} Default: none.`),
    last_commission_amount_step_repeats: fields.last_commission_amount_step_repeats
      .optional()
      .describe(`${affiliateLinkText.last_commission_amount_step_repeats} Default: false.`),
  })
  .meta({ id: 'CreateAffiliateLinkDto', description: 'A new affiliate link.' })

export const affiliateLinkPatch = z.object(fields).partial().meta({
  id: 'UpdateAffiliateLinkDto',
  description: 'Changes to an affiliate link. Omitted fields are left unchanged; no field accepts null.',
})

type AffiliateLinkPatch = z.output<typeof affiliateLinkPatch>

/** The body as the coupons service expects it. */
export function affiliateLinkInput(body: AffiliateLinkPatch) {
  return present({
    walletId: body.wallet_id,
    enabled: body.enabled,
    code: body.code,
    refererType: body.referer_type && refererTypeValues[body.referer_type],
    trackingLengthDays: body.tracking_length_days,
    applyForSubscriptions: body.apply_for_subscriptions,
    discountType: body.discount_type && amountTypeValues[body.discount_type],
    discountAmount: asBigInt(body.discount_amount),
    commissionType: body.commission_type && amountTypeValues[body.commission_type],
    commissionAmount: asBigInt(body.commission_amount),
    commissionAmountSteps: body.commission_amount_steps?.map((step) => ({
      billingCycleSequence: step.billing_cycle_sequence,
      commissionAmount: BigInt(step.commission_amount),
    })),
    lastCommissionAmountStepRepeats: body.last_commission_amount_step_repeats,
  })
}

/** The field mask of a PATCH: the fields in its body. */
export function affiliateLinkMask(body: AffiliateLinkPatch): string[] {
  return Object.keys(body)
}

function asBigInt(amount: number | undefined): bigint | undefined {
  return amount === undefined ? undefined : BigInt(amount)
}
