import { type Audit, auditColumns, type Columns, selectColumns } from '@storekeep/common/postgres'
import { type AffiliateLink, affiliateLinkFields } from '../domain/affiliate-link.ts'

/** An affiliate link as the repository returns it. Ids are int8 and therefore strings. */
export interface AffiliateLinkRow extends AffiliateLink, Audit {}

const { commissionAmountSteps, ...fields } = affiliateLinkFields

/** The columns of the terms of a link; its steps are two arrays. */
export const termColumns = { ...fields, stepSequences: 'step_sequences', stepAmounts: 'step_amounts' } as const

export const affiliateLinkColumns = selectColumns({
  id: 'id',
  storeId: 'store_id',
  ...termColumns,
  ...auditColumns,
} as const satisfies Columns<keyof AffiliateLinkColumns>)

/** The columns as the driver returns them: amounts are strings. */
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
