import { present } from '@storekeep/common/message'
import { z } from 'zod'
import { fails, int64, text } from '../../schemas/fields.ts'

const payoutSplit = z.object({
  payout_id: text(1, 64).meta({ description: 'The account that is paid.' }),
  percentage: int64(0, 10_000)
    .nullish()
    .meta({ description: 'Basis points. May be null in the last one only, which then takes what remains.' }),
  platform_fee: int64(0, 10_000).nullish().meta({ description: 'Platform fee in basis points.' }),
})

/** How the income of a line is shared. */
export const payoutSplits = z
  .array(payoutSplit)
  .max(100)
  .superRefine((splits, context) => {
    for (const [index, { percentage }] of splits.slice(0, -1).entries()) {
      if (percentage != null) continue
      const { error: message, params } = fails('required', 'is required in all but the last one')
      context.addIssue({ code: 'custom', path: [index, 'percentage'], message, params })
    }
  })

/** A share as the checkout service takes it. */
export function payoutSplitMessage({ payout_id, percentage, platform_fee }: z.output<typeof payoutSplit>) {
  return present({
    payoutId: payout_id,
    percentage: percentage == null ? undefined : BigInt(percentage),
    platformFee: platform_fee == null ? undefined : BigInt(platform_fee),
  })
}
