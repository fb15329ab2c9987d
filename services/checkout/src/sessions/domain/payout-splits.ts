import { type Violation, violation } from '@storekeep/common/errors'
import { textViolations } from '@storekeep/common/values'
import { checkoutLimits } from '@storekeep/proto/conventions/limits'
import type { PayoutSplitInput } from './checkout-input.ts'
import type { PayoutSplit } from './checkout-session.ts'

/**
 * The violations in the shares of a line's income. Percentages are basis points and add up to at most 100 %; only
 * the last may be omitted and then takes the remainder.
 */
export function splitViolations(splits: readonly PayoutSplitInput[], at: string): Violation[] {
  if (splits.length > checkoutLimits.payoutSplits)
    return [violation(at, 'length', `must have at most ${checkoutLimits.payoutSplits} items`)]
  let sum = 0n
  return splits
    .flatMap(({ payoutId, percentage, platformFee = 0n }, index) => {
      const path = `${at}.${index}.percentage`
      const feePath = `${at}.${index}.platform_fee`
      sum += percentage ?? 0n
      return [
        ...textViolations(`${at}.${index}.payout_id`, payoutId, 1, checkoutLimits.payoutIdLength),
        percentage === undefined && index < splits.length - 1
          ? violation(path, 'required', 'is required in all but the last share')
          : undefined,
        percentage !== undefined && percentage < 0n ? violation(path, 'min', 'must be at least 0') : undefined,
        percentage !== undefined && percentage > 0n && sum > whole
          ? violation(path, 'max', `must leave the shares at ${whole} together`)
          : undefined,
        platformFee < 0n ? violation(feePath, 'min', 'must be at least 0') : undefined,
        platformFee > whole ? violation(feePath, 'max', `must be at most ${whole}`) : undefined,
      ]
    })
    .filter((one) => one !== undefined)
}

/** The shares as they are stored. Only for shares without violations. */
export function toSplits(splits: readonly PayoutSplitInput[]): PayoutSplit[] {
  return splits.map(({ payoutId, percentage, platformFee }) => ({
    payoutId,
    percentage: percentage === undefined ? null : Number(percentage),
    platformFee: platformFee === undefined ? null : Number(platformFee),
  }))
}

const whole = BigInt(checkoutLimits.share)
