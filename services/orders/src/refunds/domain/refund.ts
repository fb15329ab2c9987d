import { errors, type Violation, violation } from '@storekeep/common/errors'
import { sum, textViolations } from '@storekeep/common/values'
import { refundLimits } from '@storekeep/proto/conventions/limits'

export type RefundStatus = 'pending' | 'succeeded' | 'failed'

/** Units of one line. */
export interface RefundLine {
  /** Starts at 1. */
  position: number
  quantity: number
}

export interface RefundInput {
  amount: bigint | undefined
  lines: readonly RefundLine[]
  reason: string | undefined
}

export interface RefundableLine {
  quantity: number
  totalAmount: bigint
}

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function checkRefund({ amount, lines, reason }: RefundInput): void {
  const violations: Violation[] = []
  if (amount !== undefined && lines.length > 0) {
    violations.push(violation('lines', 'exclusive', 'must not be combined with amount'))
  }
  if (amount !== undefined && amount <= 0n) violations.push(violation('amount', 'min', 'must be at least 1'))
  const seen = new Set<number>()
  for (const [index, { position, quantity }] of lines.entries()) {
    if (quantity < 1) violations.push(violation(`lines.${index}.quantity`, 'min', 'must be at least 1'))
    if (seen.has(position)) violations.push(violation(`lines.${index}.position`, 'unique', 'is repeated'))
    seen.add(position)
  }
  if (reason !== undefined) violations.push(...textViolations('reason', reason, 0, refundLimits.reasonLength))
  if (violations.length > 0) throw errors.validationFailed(violations)
}

/**
 * The amount to refund. A line is refunded at its share of what was paid, that is, after its part of the affiliate
 * discount; refunding all units of all lines, in any order and in any parts, refunds exactly the total.
 * @param refunded the units that were refunded by line before, without failed refunds
 * @param left what is left of the payment
 * @throws ServiceFault `validation-failed` for an unknown line or too many units, `conflict` if less than the amount is left
 */
export function refundAmount(
  input: RefundInput,
  { lines, totalAmount }: { lines: readonly RefundableLine[]; totalAmount: bigint },
  refunded: readonly RefundLine[],
  left: bigint,
): bigint {
  const amount =
    input.lines.length > 0 ? amountOfLines(input.lines, lines, totalAmount, refunded) : (input.amount ?? left)
  if (amount > left || amount === 0n) throw errors.conflict(`Only ${left} of the payment can still be refunded.`)
  return amount
}

function amountOfLines(
  chosen: readonly RefundLine[],
  lines: readonly RefundableLine[],
  totalAmount: bigint,
  refunded: readonly RefundLine[],
): bigint {
  const shares = shareOf(totalAmount, lines)
  const violations: Violation[] = []
  let amount = 0n
  for (const [index, { position, quantity }] of chosen.entries()) {
    const line = lines[position - 1]
    if (!line) {
      violations.push(violation(`lines.${index}.position`, 'reference', 'is not a line of the order'))
      continue
    }
    const before = refunded.filter((one) => one.position === position).reduce((sum, one) => sum + one.quantity, 0)
    if (before + quantity > line.quantity) {
      const left = line.quantity - before
      violations.push(violation(`lines.${index}.quantity`, 'max', `must be at most ${left}, the units that are left`))
      continue
    }
    const upTo = (units: number) => ((shares[position - 1] ?? 0n) * BigInt(units)) / BigInt(line.quantity)
    amount += upTo(before + quantity) - upTo(before)
  }
  if (violations.length > 0) throw errors.validationFailed(violations)
  return amount
}

/** Splits the total among the lines in proportion to their amounts. The shares add up to the total. */
function shareOf(totalAmount: bigint, lines: readonly RefundableLine[]): bigint[] {
  const whole = sum(lines.map((line) => line.totalAmount))
  let before = 0n
  return lines.map((line) => {
    if (whole === 0n) return 0n
    const from = (totalAmount * before) / whole
    before += line.totalAmount
    return (totalAmount * before) / whole - from
  })
}
