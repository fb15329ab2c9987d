import { present } from '@storekeep/common/message'
import { affiliateLinkLimits } from '@storekeep/proto/conventions/limits'
import { z } from 'zod'
import { fails, int32, int64, text } from '../../schemas/fields.ts'
import {
  amountType,
  amountTypeValues,
  commissionStep,
  newRefererType,
  refererTypeValues,
} from './affiliate-link-types.ts'

const { codeLength, commissionSteps, trackingDays, walletIdLength } = affiliateLinkLimits
const amountText = 'In minor units for `fixed`, in permille (0 to 1000) for `percentage`, 0 for `none`.'

/** Descriptions of the fields, the same in requests and responses. */
export const affiliateLinkText = {
  wallet_id: 'Payout account of the partner: an opaque id from your own system.',
  enabled: 'Whether the code can be used. Checkouts with a disabled code fail.',
  code: `Code that buyers enter, unique within the store regardless of case: 1 to ${codeLength} letters, digits, \`_\` and \`-\`.`,
  referer_type: 'Which partner is credited when several links brought the buyer: the first or the last.',
  tracking_length_days: `Number of days for which a visit through the link is credited, up to ${trackingDays}.`,
  apply_for_subscriptions: 'Whether the link applies to subscription lines.',
  discount_type: 'Type of the discount for the buyer.',
  discount_amount: `Discount for the buyer. ${amountText}`,
  commission_type: 'Type of the commission for the partner.',
  commission_amount: `Commission for the partner. ${amountText}`,
  commission_amount_steps: `Commission for individual billing cycles of a subscription, at most ${commissionSteps} steps.`,
  last_commission_amount_step_repeats: 'Whether the last step also applies to all later billing cycles.',
} as const

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

export const newAffiliateLinkExample = {
  wallet_id: 'wallet-7',
  enabled: true,
  code: 'ROBIN',
  referer_type: 'last_referer',
  tracking_length_days: 30,
  apply_for_subscriptions: true,
  discount_type: 'percentage',
  discount_amount: 50,
  commission_type: 'percentage',
  commission_amount: 125,
  commission_amount_steps: [
    { billing_cycle_sequence: 1, commission_amount: 125 },
    { billing_cycle_sequence: 2, commission_amount: 50 },
  ],
  last_commission_amount_step_repeats: true,
} satisfies z.input<typeof newAffiliateLink>

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
