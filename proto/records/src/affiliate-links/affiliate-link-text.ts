import { affiliateLinkLimits } from '@storekeep/proto/conventions/limits'

const { codeLength, commissionSteps, trackingDays } = affiliateLinkLimits
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
