import { present } from '@storekeep/common/message'
import { checkoutLimits } from '@storekeep/proto/conventions/limits'
import { int64, text } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

const { payoutIdLength, payoutSplits: maxSplits, share } = checkoutLimits

const payoutSplit = z
  .object({
    payout_id: text(1, payoutIdLength).describe('Payout account: an opaque id from your own system.'),
    percentage: int64(0, share)
      .nullish()
      .describe('Share in basis points. May be null in the last split only, which then receives the remainder.'),
    platform_fee: int64(0, share).nullish().describe('Platform fee in basis points.'),
  })
  .meta({ id: 'PayoutSplitInput', description: 'Share of one payout account.' })

export const payoutSplits = z.array(payoutSplit).max(maxSplits)

/** A split as the checkout service expects it. */
export function payoutSplitMessage({ payout_id, percentage, platform_fee }: z.output<typeof payoutSplit>) {
  return present({
    payoutId: payout_id,
    percentage: percentage == null ? undefined : BigInt(percentage),
    platformFee: platform_fee == null ? undefined : BigInt(platform_fee),
  })
}
