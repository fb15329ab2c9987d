import { errors } from '@storekeep/common/errors'
import type { Transaction } from '@storekeep/common/postgres'
import { sum } from '@storekeep/common/values'
import type { MadeRefundReport, RefundReport } from '../../adapters/providers/provider.ts'
import type { AppContext } from '../../context.ts'
import { lockOrder, updateOrder } from '../../orders/db/order-repository.ts'
import { addToTimeline } from '../../orders/db/timeline-repository.ts'
import { orderStatus } from '../../orders/domain/order.ts'
import { publishRefunded, publishUpdated } from '../../orders/events/publish.ts'
import { lockPayment, type PaymentKey, setReference, updatePayment } from '../../payments/db/payment-repository.ts'
import { isChargedBack, type Payment } from '../../payments/domain/payment.ts'
import type { Origin } from '../../steps/origin.ts'
import { findRefund, insertRefund, type Refund, selectRefunds, updateRefund } from '../db/refund-repository.ts'
import type { RefundStatus } from '../domain/refund.ts'
import { refundToProto } from '../mappers.ts'
import type { RefundedPayment } from './request-refund.ts'

/**
 * Stores what a provider reports about a refund. A refund that was reported as succeeded can still fail, such as when the
 * payer's account is closed. Repeated and outdated reports change nothing.
 * @param key of the payment
 * @throws ServiceFault `not-found`, `service-unavailable`
 */
export async function reportRefund(
  ctx: AppContext,
  key: PaymentKey,
  refundId: string,
  report: MadeRefundReport,
  origin: Origin,
): Promise<RefundedPayment> {
  return await ctx.database.transaction(async (tx) => {
    const before = await lockPayment(tx, key)
    const { paymentReference: providerReference = before.providerReference } = report
    if (providerReference !== null && providerReference !== before.providerReference) {
      await setReference(tx, before, providerReference)
    }
    return await applyRefundReport(ctx, tx, { ...before, providerReference }, refundId, report, origin)
  })
}

/** What `reportRefund` does, in a transaction that has locked the payment. */
export async function applyRefundReport(
  ctx: AppContext,
  tx: Transaction,
  payment: Payment,
  refundId: string,
  report: RefundReport,
  origin: Origin,
): Promise<RefundedPayment> {
  const before = await findRefund(tx, payment.storeId, refundId)
  if (!before) throw errors.notFound('refund')
  const isOutdated = before.status === 'failed' || (before.status === 'succeeded' && report.status === 'pending')
  if (isOutdated || (before.status === report.status && report.status !== 'pending')) {
    return { payment, refund: before }
  }
  const now = ctx.clock.now()
  const nextAt = report.status === 'pending' ? new Date(now.getTime() + pendingMs) : null
  const providerReference = report.providerReference ?? before.providerReference
  const changes = { status: report.status, providerReference, failureReason: report.failureReason ?? null }
  const after = await updateRefund(tx, before, changes, { now, nextAt })
  if (report.status === 'pending') return { payment, refund: after }
  if (payment.orderId === null) return { payment: await applyToPayment(tx, payment, now), refund: after }
  await applyToOrder(tx, { payment, orderId: payment.orderId, before, after }, now, origin)
  return { payment, refund: after }
}

/**
 * A payment without an order is refunded in full: retry until nothing is left. The delay doubles with each failed refund, because a
 * provider may reject all of them.
 */
async function applyToPayment(tx: Transaction, before: Payment, now: Date): Promise<Payment> {
  const refunds = await selectRefunds(tx, before.storeId, before.id)
  const amountOf = (...statuses: RefundStatus[]) =>
    sum(refunds.filter(({ status }) => statuses.includes(status)).map(({ amount }) => amount))
  const settlement = amountOf('succeeded') < before.amount ? 'refunding' : 'refunded'
  const payment = await updatePayment(tx, before, { settlement }, null)
  const amount = payment.amount - amountOf('succeeded', 'pending')
  if (amount <= 0n) return payment
  const failed = refunds.filter(({ status }) => status === 'failed').length
  const nextAt = new Date(now.getTime() + Math.min(anotherAttemptMs * 2 ** (failed - 1), longestDelayMs))
  const { storeId, id: paymentId } = payment
  const given = {
    storeId,
    paymentId,
    orderId: null,
    amount,
    split: null,
    lines: [],
    createdBy: 'internal',
    createdAt: now,
    nextAt,
  }
  // Same reason as the first refund. The count is exact under the lock of the payment, whose refunds are never deleted.
  await insertRefund(tx, { ...given, reason: refunds[0]?.reason ?? null, attempt: refunds.length + 1 })
  return payment
}

async function applyToOrder(
  tx: Transaction,
  { payment, orderId, before, after }: { payment: Payment; orderId: string; before: Refund; after: Refund },
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
  if (sign > 0n) await publishRefunded(tx, changed, refundToProto({ ...after, reason: null }), origin)
  else await publishUpdated(tx, changed, origin)
}

/** How often the state of an accepted refund is read, if no webhook reports it. */
const pendingMs = 3_600_000
const anotherAttemptMs = 3_600_000
const longestDelayMs = 7 * 24 * 3_600_000
