import { affiliateLinkLimits } from '@storekeep/proto/conventions/limits'
/** A code that an affiliate uses to refer customers to a store. Ids are decimal strings. */
export interface AffiliateLink extends AffiliateLinkState {
  id: string
  storeId: string
}

/** The terms of an affiliate link. */
export interface AffiliateLinkState {
  /** Opaque payout account. */
  walletId: string
  enabled: boolean
  /** As displayed. */
  code: string
  refererType: RefererType
  trackingLengthDays: number
  applyForSubscriptions: boolean
  discountType: AmountType
  /** Minor units, permille or 0, depending on the type. */
  discountAmount: bigint
  commissionType: AmountType
  /** Depending on the type, like the amounts of the steps. */
  commissionAmount: bigint
  /** In the order of the request; billing cycles are unique. */
  commissionAmountSteps: readonly CommissionAmountStep[]
  lastCommissionAmountStepRepeats: boolean
}

/** The terms of an affiliate link, with their names in the API. */
export const affiliateLinkFields = {
  walletId: 'wallet_id',
  enabled: 'enabled',
  code: 'code',
  refererType: 'referer_type',
  trackingLengthDays: 'tracking_length_days',
  applyForSubscriptions: 'apply_for_subscriptions',
  discountType: 'discount_type',
  discountAmount: 'discount_amount',
  commissionType: 'commission_type',
  commissionAmount: 'commission_amount',
  commissionAmountSteps: 'commission_amount_steps',
  lastCommissionAmountStepRepeats: 'last_commission_amount_step_repeats',
} as const satisfies Record<keyof AffiliateLinkState, string>

/** The commission of one billing cycle of a subscription. */
export interface CommissionAmountStep {
  /** Starts at 1. */
  billingCycleSequence: number
  commissionAmount: bigint
}

/** Who is paid if several links referred the customer. */
export const refererTypes = ['first_referer', 'last_referer'] as const
export type RefererType = (typeof refererTypes)[number]

export const amountTypes = ['none', 'fixed', 'percentage'] as const
export type AmountType = (typeof amountTypes)[number]

/**
 * The number of links per store and of steps per link. The list is not paged, so all links must fit into one response:
 * 1,000 links of the maximum size are less than 5 MB of JSON.
 */
export const maxAffiliateLinks = affiliateLinkLimits.perStore
export const maxCommissionSteps = affiliateLinkLimits.commissionSteps
