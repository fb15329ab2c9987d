import { affiliateLinkLimits } from '@storekeep/proto/conventions/limits'
import type { AffiliateLink } from '@storekeep/proto/coupons/v1/affiliate_link'
import { z } from 'zod'
import { nameOf } from '../schemas/enums.ts'
import { int32, int64 } from '../schemas/fields.ts'
import { auditDto, auditExample, auditFields, idFields } from '../schemas/record.ts'
import { amountType, amountTypeValues, commissionStep, refererType, refererTypeValues } from './affiliate-link-types.ts'

const { codeLength, commissionSteps, trackingDays } = affiliateLinkLimits
const amountText = 'In minor units for `fixed`, in per mille (0 to 1000) for `percentage`, 0 for `none`.'

/** Descriptions of the fields, the same in requests and responses. */
export const affiliateLinkText = {
  wallet_id: 'Payout account of the partner: an opaque id from your own system.',
  enabled: 'Whether the code can be used. Checkouts with a disabled code fail.',
  code: `Code that buyers enter, unique within the store regardless of case: 1 to ${codeLength} letters, digits, \`_\` and \`-\`.`,
  referer_type: 'Which partner is credited if the buyer followed several links: the first or the last.',
  tracking_length_days: `Number of days for which a visit through the link is credited, up to ${trackingDays}.`,
  apply_for_subscriptions: 'Whether the link applies to subscription lines.',
  discount_type: 'Type of the discount for the buyer.',
  discount_amount: `Discount for the buyer. ${amountText}`,
  commission_type: 'Type of the commission for the partner.',
  commission_amount: `Commission for the partner. ${amountText}`,
  commission_amount_steps: `Commission for individual billing cycles of a subscription, at most ${commissionSteps} steps.`,
  last_commission_amount_step_repeats: 'Whether the last step also applies to all later billing cycles.',
} as const

export const affiliateLinkDtoSchema = z
  .object({
    ...idFields('affiliate link'),
    wallet_id: z.string().describe(affiliateLinkText.wallet_id),
    enabled: z.boolean().describe(affiliateLinkText.enabled),
    code: z.string().describe(affiliateLinkText.code),
    referer_type: refererType.describe(affiliateLinkText.referer_type),
    tracking_length_days: int32(0).describe(affiliateLinkText.tracking_length_days),
    apply_for_subscriptions: z.boolean().describe(affiliateLinkText.apply_for_subscriptions),
    discount_type: amountType.describe(affiliateLinkText.discount_type),
    discount_amount: int64(0).describe(affiliateLinkText.discount_amount),
    commission_type: amountType.describe(affiliateLinkText.commission_type),
    commission_amount: int64(0).describe(affiliateLinkText.commission_amount),
    commission_amount_steps: z.array(commissionStep).describe(affiliateLinkText.commission_amount_steps),
    last_commission_amount_step_repeats: z.boolean().describe(affiliateLinkText.last_commission_amount_step_repeats),
    ...auditFields,
  })
  .meta({ id: 'AffiliateLinkDto', description: 'A code that credits a partner with the sales it brings in.' })

export type AffiliateLinkDto = z.input<typeof affiliateLinkDtoSchema>

export function affiliateLinkDto(link: AffiliateLink | undefined): AffiliateLinkDto {
  if (!link) throw new Error('A service returned no affiliate link.')
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
    ...auditDto(link),
  }
}

/** The fields that a caller writes. */
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
} satisfies Partial<AffiliateLinkDto>

export const affiliateLinkExample: AffiliateLinkDto = {
  id: '411486491630370823',
  store_id: '411486491596816384',
  ...newAffiliateLinkExample,
  ...auditExample,
}
