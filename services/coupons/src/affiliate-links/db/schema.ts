import { raw } from 'sql-template-tag'
import type { AffiliateLink } from '../domain/affiliate-link.ts'

/** An affiliate link as the repository returns it. Ids and versions are int8 and therefore strings. */
export interface AffiliateLinkRow extends AffiliateLink {
  /** See `actorText`. */
  createdBy: string
  createdAt: Date
  updatedBy: string | null
  updatedAt: Date | null
  version: string
}

/** The columns of an AffiliateLinkRow; see `affiliateLinkFromColumns`. */
export const affiliateLinkColumns = raw(`id, store_id as "storeId", wallet_id as "walletId", enabled, code,
  referer_type as "refererType", tracking_length_days as "trackingLengthDays",
  apply_for_subscriptions as "applyForSubscriptions", discount_type as "discountType",
  discount_amount as "discountAmount", commission_type as "commissionType", commission_amount as "commissionAmount",
  step_sequences as "stepSequences", step_amounts as "stepAmounts",
  last_commission_amount_step_repeats as "lastCommissionAmountStepRepeats",
  created_by as "createdBy", created_at as "createdAt", updated_by as "updatedBy", updated_at as "updatedAt", version`)

/** `affiliateLinkColumns` as the driver returns them: amounts are strings. */
export interface AffiliateLinkColumns
  extends Omit<AffiliateLinkRow, 'discountAmount' | 'commissionAmount' | 'commissionAmountSteps'> {
  discountAmount: string
  commissionAmount: string
  stepSequences: number[]
  stepAmounts: string[]
}

export function affiliateLinkFromColumns({
  stepSequences,
  stepAmounts,
  discountAmount,
  commissionAmount,
  ...columns
}: AffiliateLinkColumns): AffiliateLinkRow {
  return {
    ...columns,
    discountAmount: BigInt(discountAmount),
    commissionAmount: BigInt(commissionAmount),
    commissionAmountSteps: stepSequences.map((billingCycleSequence, index) => ({
      billingCycleSequence,
      commissionAmount: BigInt(stepAmounts[index] ?? 0),
    })),
  }
}
