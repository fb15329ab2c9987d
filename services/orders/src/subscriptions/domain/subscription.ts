import { sum } from '@storekeep/common/values'
import { splitAmount, taxAmounts } from '@storekeep/proto/conventions/tax-amounts'
import type { Json } from '../../orders/domain/order.ts'
import type { Interval, PaidPeriod, RenewingProvider } from '../../payments/domain/payment.ts'

export const subscriptionStatuses = ['active', 'past_due', 'canceled'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

export type CancellationReason = 'requested' | 'banned' | 'payment_failed'

/** The subscription lines of a session, which renew together. Every paid period is an order. */
export interface Subscription extends Interval {
  id: string
  storeId: string
  customerId: string
  /** The session that started it. */
  checkoutId: string
  status: SubscriptionStatus
  currency: string
  /** Protobuf JSON of the lines, as in the first order. */
  lines: Json
  couponId: string | null
  /** How many periods the coupon discounts, counting the first. Null: all. */
  discountedPeriods: number | null
  /** The rate of the tax that renewals add to the prices, in hundredths of a percent. Null if none is added. */
  addedTaxRate: number | null
  provider: RenewingProvider
  /** The subscription at the provider; null if it is not known there. */
  providerReference: string | null
  paidPeriods: number
  /** The latest period that was paid. */
  currentPeriodStart: Date
  currentPeriodEnd: Date
  cancelAtPeriodEnd: boolean
  cancellationReason: CancellationReason | null
  canceledAt: Date | null
  createdAt: Date
  updatedAt: Date | null
  version: string
}

/** The state of a subscription as its provider reports it. */
export interface SubscriptionReport {
  status: SubscriptionStatus
  cancelAtPeriodEnd: boolean
  /** Why it ends or has ended. */
  reason: CancellationReason
  /** The first period, if it is known: it was paid by the payment that started the subscription. */
  first: Pick<PaidPeriod, 'start' | 'end'> | undefined
  /** Paid renewals, oldest first. */
  renewals: readonly PaidPeriod[]
}

export type SubscriptionState = Pick<
  Subscription,
  | 'status'
  | 'paidPeriods'
  | 'currentPeriodStart'
  | 'currentPeriodEnd'
  | 'cancelAtPeriodEnd'
  | 'cancellationReason'
  | 'canceledAt'
>

/** The state after a report, apart from its renewals. A subscription that has ended stays so. */
export function stateAfter(before: Subscription, report: SubscriptionReport, now: Date): Subscription {
  const period = report.first && before.paidPeriods === 1 ? report.first : undefined
  const state = {
    ...before,
    ...(period && { currentPeriodStart: period.start, currentPeriodEnd: period.end }),
  }
  if (before.status === 'canceled') return state
  const { status, cancelAtPeriodEnd } = report
  const isEnding = cancelAtPeriodEnd || status === 'canceled'
  return {
    ...state,
    status,
    cancelAtPeriodEnd,
    cancellationReason: isEnding ? (before.cancellationReason ?? report.reason) : null,
    canceledAt: status === 'canceled' ? now : null,
  }
}

/** The state after another period was paid. Periods may be reported in any order. */
export function stateAfterRenewal(
  before: Subscription,
  { start, end }: Pick<PaidPeriod, 'start' | 'end'>,
): Subscription {
  const isLatest = start >= before.currentPeriodStart
  return {
    ...before,
    status: before.status === 'canceled' ? 'canceled' : 'active',
    paidPeriods: before.paidPeriods + 1,
    ...(isLatest && { currentPeriodStart: start, currentPeriodEnd: end }),
  }
}

/** The end of the nth period that began at a time. The days of short months do not shift the periods after them. */
export function endOfPeriod(start: Date, { intervalValue, intervalScale }: Interval, periods: number): Date {
  const count = intervalValue * periods
  const end = new Date(start)
  switch (intervalScale) {
    case 'day':
    case 'week':
      end.setUTCDate(end.getUTCDate() + count * (intervalScale === 'week' ? 7 : 1))
      return end
    case 'month':
    case 'year': {
      const day = end.getUTCDate()
      end.setUTCDate(1)
      end.setUTCMonth(end.getUTCMonth() + count * (intervalScale === 'year' ? 12 : 1))
      const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
      end.setUTCDate(Math.min(day, lastDay))
      return end
    }
  }
}

export interface RenewableLine {
  unitPrice: bigint
  quantity: number
  discountAmount: bigint
}

/**
 * What a period costs, including tax: the first one's prices, without the coupon once its periods are over, and without affiliate
 * discount.
 */
export function priceOfPeriod(
  subscription: Pick<Subscription, 'couponId' | 'discountedPeriods' | 'addedTaxRate'>,
  lines: readonly RenewableLine[],
  period: number,
): { subtotalAmount: bigint; totalAmount: bigint } {
  const isDiscounted = isPeriodDiscounted(subscription, period)
  const prices = lines.map(({ unitPrice, quantity }) => unitPrice * BigInt(quantity))
  const discounted = prices.map((price, index) => price - (isDiscounted ? (lines[index]?.discountAmount ?? 0n) : 0n))
  return {
    subtotalAmount: sum(withAddedTax(prices, subscription)),
    totalAmount: sum(withAddedTax(discounted, subscription)),
  }
}

function isPeriodDiscounted(
  { couponId, discountedPeriods }: Pick<Subscription, 'couponId' | 'discountedPeriods'>,
  period: number,
): boolean {
  return couponId !== null && (discountedPeriods === null || period <= discountedPeriods)
}

function withAddedTax(prices: readonly bigint[], { addedTaxRate }: Pick<Subscription, 'addedTaxRate'>): bigint[] {
  const amounts = taxAmounts(prices, { rate: addedTaxRate ?? 0, inclusive: false })
  return amounts.map(({ netAmount, taxAmount }) => netAmount + taxAmount)
}

/**
 * The amounts of the order of a paid renewal. Its total is what the provider received, and contains the tax at the current rate.
 * Where the price differs, because the rate has changed or the store has changed the subscription at the provider, the subtotal or
 * the discount does too.
 * @param taxRate null without tax
 */
export function amountsOfRenewal<L extends RenewableLine>(
  subscription: Subscription,
  given: readonly L[],
  totalAmount: bigint,
  taxRate: number | null,
) {
  const isDiscounted = isPeriodDiscounted(subscription, subscription.paidPeriods + 1)
  const prices = given.map((line) => line.unitPrice * BigInt(line.quantity))
  const discounts = given.map((line) => (isDiscounted ? line.discountAmount : 0n))
  const discounted = prices.map((price, index) => price - (discounts[index] ?? 0n))
  const paid = splitPayment(totalAmount, withAddedTax(discounted, subscription))
  const taxed = taxRate === null ? undefined : taxAmounts(paid, { rate: taxRate, inclusive: true })
  const taxAmount = taxed && sum(taxed.map((line) => line.taxAmount))
  const addedTax = subscription.addedTaxRate === null ? 0n : (taxAmount ?? 0n)
  const price = sum(prices)
  const due = totalAmount - addedTax
  const subtotalAmount = price < due ? due : price
  return {
    isDiscounted,
    lines: given.map((line, index) => ({
      ...line,
      discountAmount: discounts[index] ?? 0n,
      totalAmount: discounted[index] ?? 0n,
      netAmount: taxed?.[index]?.netAmount,
      taxAmount: taxed?.[index]?.taxAmount,
    })),
    subtotalAmount,
    couponDiscountAmount: subtotalAmount - due,
    totalAmount,
    taxAmount,
  }
}

/** What was received for each line. A payment for lines that cost nothing belongs to the first. */
function splitPayment(totalAmount: bigint, prices: readonly bigint[]): bigint[] {
  const isFree = prices.every((price) => price === 0n)
  return splitAmount(totalAmount, isFree ? prices.map((_, index) => (index === 0 ? 1n : 0n)) : prices)
}

/**
 * When the task reads a subscription next: before its period ends, to not renew for a banned customer; and after it, in case
 * the webhook is lost. A subscription that has ended is read again, since its last invoice may be paid late.
 */
export function nextReading(subscription: Subscription, now: Date): Date | null {
  const { provider, status, canceledAt, currentPeriodEnd: end, cancelAtPeriodEnd } = subscription
  const after = (time: Date, ms: number) => new Date(time.getTime() + ms)
  if (provider === 'test') return status !== 'canceled' && cancelAtPeriodEnd ? end : null
  const times =
    canceledAt === null
      ? [after(end, -banCheckMs), after(end, 10 * minute), after(now, hour)]
      : [after(canceledAt, hour)]
  return times.find((time) => time > now) ?? null
}

const minute = 60_000
const hour = 60 * minute

/** How long before the end of a period a ban is noticed. */
export const banCheckMs = hour
