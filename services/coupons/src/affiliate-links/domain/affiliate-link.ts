import { affiliateLinkLimits } from '@storekeep/proto/conventions/limits'
/** A code with which somebody sends customers to one store. Ids are decimal strings. */
export interface AffiliateLink extends AffiliateLinkState {
  id: string
  storeId: string
}

/** What may change in an affiliate link: its terms. */
export interface AffiliateLinkState {
  /** Who is paid; means nothing to us. */
  walletId: string
  enabled: boolean
  /** As it is shown. */
  code: string
  refererType: RefererType
  trackingLengthDays: number
  applyForSubscriptions: boolean
  discountType: AmountType
  /** Of the discount's type: minor units, permille, or 0. */
  discountAmount: bigint
  commissionType: AmountType
  /** Of the commission's type, as are those of the steps. */
  commissionAmount: bigint
  /** In the order in which they were given; no billing cycle twice. */
  commissionAmountSteps: readonly CommissionAmountStep[]
  lastCommissionAmountStepRepeats: boolean
}

/** The commission of one billing cycle of a subscription. */
export interface CommissionAmountStep {
  /** From 1. */
  billingCycleSequence: number
  commissionAmount: bigint
}

/** Who is paid when several links brought the customer. */
export const refererTypes = ['first_referer', 'last_referer'] as const
export type RefererType = (typeof refererTypes)[number]

export const amountTypes = ['none', 'fixed', 'percentage'] as const
export type AmountType = (typeof amountTypes)[number]

/**
 * How many a store may have, and how many steps each. Their list is not paged, so it has to be one that can be made and
 * sent at once: as large as they may be, 1,000 links are less than 5 MB of JSON.
 */
export const maxAffiliateLinks = affiliateLinkLimits.perStore
export const maxCommissionSteps = affiliateLinkLimits.commissionSteps
