import { errors, type Violation, violation } from '@storekeep/common/errors'
import { sum, textViolations } from '@storekeep/common/values'
import { refundLimits } from '@storekeep/proto/conventions/limits'
import { splitAmount, type TaxedAmount } from '@storekeep/proto/conventions/tax-amounts'

export const refundStatuses = ['pending', 'succeeded', 'failed'] as const
export type RefundStatus = (typeof refundStatuses)[number]

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
  /** What was paid for the line; undefined without tax. */
  netAmount?: bigint | undefined
  taxAmount?: bigint | undefined
}

export interface RefundableOrder {
  lines: readonly RefundableLine[]
  totalAmount: bigint
  /** Null without tax. */
  tax: TaxedAmount | null
}

/** A refund of an order, as far as the next one depends on it. */
export interface EarlierRefund {
  status: RefundStatus
  lines: readonly RefundLine[]
  split: TaxedAmount | null
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
  { lines, totalAmount }: Pick<RefundableOrder, 'lines' | 'totalAmount'>,
  refunded: readonly RefundLine[],
  left: bigint,
): bigint {
  const amount =
    input.lines.length > 0 ? amountOfLines(input.lines, lines, totalAmount, refunded) : (input.amount ?? left)
  if (amount > left || amount === 0n) throw errors.conflict(`Only ${left} of the payment can still be refunded.`)
  return amount
}

/**
 * How the amount of a refund splits into net and tax: by the refunded units, else in proportion to what is left. The refunds of an
 * order never exceed its net and its tax, and refunding the rest refunds exactly the rest of both.
 * @param amount at most what is left
 * @param chosen the refunded units; empty for a refund by amount
 * @param earlier the refunds of the order; failed ones count for nothing
 * @returns null for an order without tax
 */
export function splitRefund(
  amount: bigint,
  chosen: readonly RefundLine[],
  { lines, tax }: RefundableOrder,
  earlier: readonly EarlierRefund[],
): TaxedAmount | null {
  if (tax === null) return null
  const counted = earlier.filter(({ status }) => status !== 'failed')
  const leftNet = tax.netAmount - sum(counted.map(({ split }) => split?.netAmount ?? 0n))
  const leftTax = tax.taxAmount - sum(counted.map(({ split }) => split?.taxAmount ?? 0n))
  const refunded = counted.flatMap((one) => one.lines)
  const wanted = chosen.length > 0 ? taxOfUnits(chosen, lines, refunded) : shareOfLeft(amount, leftNet, leftTax)
  const atMost = smaller(wanted, smaller(amount, leftTax))
  // What is left of the net must cover the rest.
  const netAmount = smaller(amount - atMost, leftNet)
  return { netAmount, taxAmount: amount - netAmount }
}

function taxOfUnits(
  chosen: readonly RefundLine[],
  lines: readonly RefundableLine[],
  refunded: readonly RefundLine[],
): bigint {
  return sum(
    chosen.map(({ position, quantity }) => {
      const { taxAmount = 0n, quantity: all = 1 } = lines[position - 1] ?? {}
      const before = unitsOf(position, refunded)
      return partOf(taxAmount, before + quantity, all) - partOf(taxAmount, before, all)
    }),
  )
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** Rounded half up. */
function shareOfLeft(amount: bigint, net: bigint, tax: bigint): bigint {
  const left = net + tax
  return left === 0n ? 0n : (2n * amount * tax + left) / (2n * left)
}

function unitsOf(position: number, refunded: readonly RefundLine[]): number {
  return refunded.filter((one) => one.position === position).reduce((all, one) => all + one.quantity, 0)
}

/** The part of an amount for some of the units of a line. */
function partOf(amount: bigint, units: number, all: number): bigint {
  return (amount * BigInt(units)) / BigInt(all)
}

function amountOfLines(
  chosen: readonly RefundLine[],
  lines: readonly RefundableLine[],
  totalAmount: bigint,
  refunded: readonly RefundLine[],
): bigint {
  const shares = sharesOf(totalAmount, lines)
  const violations: Violation[] = []
  let amount = 0n
  for (const [index, { position, quantity }] of chosen.entries()) {
    const line = lines[position - 1]
    if (!line) {
      violations.push(violation(`lines.${index}.position`, 'reference', 'is not a line of the order'))
      continue
    }
    const before = unitsOf(position, refunded)
    if (before + quantity > line.quantity) {
      const left = line.quantity - before
      violations.push(violation(`lines.${index}.quantity`, 'max', `must be at most ${left}, the units that are left`))
      continue
    }
    const share = shares[position - 1] ?? 0n
    amount += partOf(share, before + quantity, line.quantity) - partOf(share, before, line.quantity)
  }
  if (violations.length > 0) throw errors.validationFailed(violations)
  return amount
}

/** What was paid for each line: the total, split in proportion to the amounts of the lines unless they say it. */
function sharesOf(totalAmount: bigint, lines: readonly RefundableLine[]): bigint[] {
  const shares = splitAmount(
    totalAmount,
    lines.map((line) => line.totalAmount),
  )
  return lines.map(({ netAmount, taxAmount = 0n }, index) =>
    netAmount === undefined ? (shares[index] ?? 0n) : netAmount + taxAmount,
  )
}
