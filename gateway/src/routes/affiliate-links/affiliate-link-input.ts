import { present } from '@storekeep/common/message'
import { z } from 'zod'
import { fails, int32, int64, text } from '../../schemas/fields.ts'
import { amountTypeNames, amountTypeValues, refererTypeNames, refererTypeValues } from './affiliate-link-types.ts'

const amount = int64(0)
const ofType = 'Minor units when fixed, permille up to 1000 when a percentage, 0 when none.'

const members = {
  wallet_id: text(1, 255).meta({ description: 'Who is paid; yours to choose.' }),
  enabled: z.boolean(),
  code: z
    .string()
    .refine((code) => /^[A-Za-z0-9_-]*$/.test(code), fails('pattern', 'must be letters, digits, _ and - only'))
    .refine((code) => code.length >= 1 && code.length <= 64, fails('length', 'must have 1 to 64 characters'))
    .meta({ description: 'Unique in the store, in any case.', override: { pattern: '^[A-Za-z0-9_-]{1,64}$' } }),
  referer_type: z.enum(refererTypeNames).meta({ description: 'Who is paid when several links brought the customer.' }),
  tracking_length_days: int32(0, 3650),
  apply_for_subscriptions: z.boolean(),
  discount_type: z.enum(amountTypeNames),
  discount_amount: amount.meta({ description: ofType }),
  commission_type: z.enum(amountTypeNames),
  commission_amount: amount.meta({ description: ofType }),
  commission_amount_steps: z
    .array(z.object({ billing_cycle_sequence: int32(1), commission_amount: amount }))
    .max(25)
    .meta({
      description: 'The commission of at most 25 single billing cycles of a subscription; each cycle at most once.',
    }),
  last_commission_amount_step_repeats: z.boolean(),
}

/** Body of a create. */
export const newAffiliateLink = z
  .object({
    ...members,
    commission_amount_steps: members.commission_amount_steps.default([]),
    last_commission_amount_step_repeats: members.last_commission_amount_step_repeats.default(false),
  })
  .meta({ id: 'CreateAffiliateLinkDto' })

/** Body of a PATCH: what is absent stays, and nothing can be null. */
export const affiliateLinkPatch = z.object(members).partial().meta({ id: 'UpdateAffiliateLinkDto' })

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

/** The members as the coupons service takes them. */
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

/** What the PATCH changes: what it names. */
export function affiliateLinkMask(body: AffiliateLinkPatch): string[] {
  return Object.keys(body)
}

function asBigInt(amount: number | undefined): bigint | undefined {
  return amount === undefined ? undefined : BigInt(amount)
}
