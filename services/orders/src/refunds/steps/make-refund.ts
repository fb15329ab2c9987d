import { errors } from '@storekeep/common/errors'
import type { Transaction } from '@storekeep/common/postgres'
import type { RefundReport } from '../../adapters/providers/provider.ts'
import type { AppContext } from '../../context.ts'
import { lockOrder, updateOrder } from '../../orders/db/order-repository.ts'
import { addToTimeline } from '../../orders/db/timeline-repository.ts'
import { orderStatus } from '../../orders/domain/order.ts'
import { publishRefunded, publishUpdated } from '../../orders/events/publish.ts'
import { findPayment, lockPayment, setReference, updatePayment } from '../../payments/db/payment-repository.ts'
import { findSettings } from '../../payments/db/settings-repository.ts'
import { isChargedBack, type Payment } from '../../payments/domain/payment.ts'
import type { PaymentSettings } from '../../payments/domain/payment-settings.ts'
import type { Origin } from '../../payments/steps/origin.ts'
import { findRefund, insertRefund, type Refund, selectRefunds, updateRefund } from '../db/refund-repository.ts'
import type { RefundStatus } from '../domain/refund.ts'

/**
 * Makes a refund that was requested, at its provider. Never throws: the request is stored, and the task retries.
 * @returns the refund as it is now
 */
export async function makeRefund(ctx: AppContext, refund: Refund, origin: Origin): Promise<Refund> {
  try {
    const payment = await findPayment(ctx.database, { storeId: refund.storeId, id: refund.paymentId })
    if (!payment) throw new Error('the payment of a refund was not found')
    const settings = await findSettings(ctx.database, ctx.secrets, refund.storeId)
    const { currency } = payment
    const toMake = { ...refund, currency, paymentReference: await referenceOf(ctx, payment, settings) }
    const report = await ctx.providers[payment.provider].refund(toMake, settings)
    return await reportRefund(ctx, refund, report, origin)
  } catch (error) {
    const { storeId, id } = refund
    ctx.log.warn({ err: error, store_id: storeId, refund_id: id }, 'could not make a refund, retrying later')
    return refund
  }
}

/** A provider may name the payment of an invoice only after it has reported the invoice as paid. */
async function referenceOf(ctx: AppContext, payment: Payment, settings: PaymentSettings): Promise<string | null> {
  if (payment.providerReference !== null) return payment.providerReference
  const found = await ctx.providers[payment.provider].readReference?.(payment, settings)
  if (found === undefined) return null
  await setReference(ctx.database, payment, found)
  return found
}

/**
 * Stores what a provider reports about a refund. A refund that was reported as succeeded can still fail, such as when the
 * payer's account is closed. Repeated and outdated reports change nothing.
 * @throws ServiceFault `not-found`, `service-unavailable`
 */
export async function reportRefund(
  ctx: AppContext,
  { storeId, id, paymentId }: Pick<Refund, 'storeId' | 'id' | 'paymentId'>,
  report: RefundReport,
  origin: Origin,
): Promise<Refund> {
  return await ctx.database.transaction(async (tx) => {
    const payment = await lockPayment(tx, { storeId, id: paymentId })
    const before = await findRefund(tx, storeId, id)
    if (!payment || !before) throw errors.notFound('refund')
    return await applyRefundReport(ctx, tx, { payment, before, report }, origin)
  })
}

/** What `reportRefund` does, in a transaction that has locked the payment. */
export async function applyRefundReport(
  ctx: AppContext,
  tx: Transaction,
  { payment, before, report }: { payment: Payment; before: Refund; report: RefundReport },
  origin: Origin,
): Promise<Refund> {
  const isOutdated = before.status === 'failed' || (before.status === 'succeeded' && report.status === 'pending')
  if (isOutdated || (before.status === report.status && report.status !== 'pending')) return before
  const now = ctx.clock.now()
  const nextAt = report.status === 'pending' ? new Date(now.getTime() + pendingMs) : null
  const providerReference = report.providerReference ?? before.providerReference
  const changes = { status: report.status, providerReference, failureReason: report.failureReason ?? null }
  const after = await updateRefund(tx, before, changes, nextAt)
  if (report.status === 'pending') return after
  if (payment.orderId === null) await applyToPayment(tx, payment, now)
  else await applyToOrder(tx, { payment, orderId: payment.orderId, before, after }, now, origin)
  return after
}

/**
 * The whole money of a payment without an order must be returned, so another refund follows while some of it is left. The delay
 * doubles with each failed refund, because a provider may reject all of them.
 */
async function applyToPayment(tx: Transaction, payment: Payment, now: Date): Promise<void> {
  const refunds = await selectRefunds(tx, payment.storeId, payment.id)
  const sum = (...statuses: RefundStatus[]) =>
    refunds.filter(({ status }) => statuses.includes(status)).reduce((total, { amount }) => total + amount, 0n)
  const settlement = sum('succeeded') < payment.amount ? 'refunding' : 'refunded'
  await updatePayment(tx, payment, { settlement }, null)
  const amount = payment.amount - sum('succeeded', 'pending')
  if (amount <= 0n) return
  const failed = refunds.filter(({ status }) => status === 'failed').length
  const nextAt = new Date(now.getTime() + Math.min(anotherAttemptMs * 2 ** (failed - 1), longestDelayMs))
  const { storeId, id: paymentId } = payment
  await insertRefund(tx, {
    storeId,
    paymentId,
    orderId: null,
    amount,
    lines: [],
    // As for the first one.
    reason: refunds[0]?.reason ?? null,
    // Under the lock of the payment, whose refunds are never deleted.
    attempt: refunds.length + 1,
    createdBy: 'internal',
    createdAt: now,
    nextAt,
  })
}

async function applyToOrder(
  tx: Transaction,
  { payment, orderId, before, after }: OrderRefund,
  now: Date,
  origin: Origin,
) {
  const order = await lockOrder(tx, after.storeId, orderId)
  const sign = after.status === 'succeeded' ? 1n : before.status === 'succeeded' ? -1n : 0n
  const refundedAmount = order.refundedAmount + sign * after.amount
  const status = orderStatus({ ...order, refundedAmount }, isChargedBack(payment))
  const kind = after.status === 'succeeded' ? 'refund_succeeded' : 'refund_failed'
  const { storeId, id: refundId, paymentId, amount } = after
  addToTimeline(tx, { storeId, orderId, kind, paymentId, refundId, amount, actor: 'internal', createdAt: now })
  if (sign === 0n) return
  const changed = await updateOrder(tx, order, { status, refundedAmount }, now)
  if (sign > 0n) await publishRefunded(tx, changed, after, origin)
  else await publishUpdated(tx, changed, origin)
}

interface OrderRefund {
  payment: Payment
  orderId: string
  before: Refund
  after: Refund
}

/** How often the state of an accepted refund is read, if no webhook reports it. */
const pendingMs = 3_600_000
const anotherAttemptMs = 3_600_000
const longestDelayMs = 7 * 24 * 3_600_000
