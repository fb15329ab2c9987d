import type { AppContext } from '../../context.ts'
import { lockPayment, type PaymentKey, updatePayment } from '../../payments/db/payment-repository.ts'
import { findSettings } from '../../payments/db/settings-repository.ts'
import { applyDispute, type DisputeReport, isChargedBack, isOpen, type Payment } from '../../payments/domain/payment.ts'
import type { Origin } from '../../steps/origin.ts'
import { lockOrder, updateOrder } from '../db/order-repository.ts'
import { addToTimeline } from '../db/timeline-repository.ts'
import { orderStatus } from '../domain/order.ts'
import { publishChargedBack, publishUpdated } from '../events/publish.ts'

/**
 * Stores what a provider reports about a dispute, and charges the order back. If the order does not exist yet, it is created
 * as charged back. Repeated and outdated reports change nothing.
 * @throws ServiceFault `not-found`, `service-unavailable`
 */
export async function reportDispute(
  ctx: AppContext,
  key: PaymentKey,
  report: DisputeReport,
  origin: Origin,
): Promise<Payment> {
  return await ctx.database.transaction(async (tx) => {
    const before = await lockPayment(tx, key)
    const changes = applyDispute(before, report)
    if (!changes) return before
    const now = ctx.clock.now()
    // Unsettled payments are still due, and so are payments whose success was not reported: there is a dispute about them.
    const nextAt = before.settlement === 'pending' || isOpen(before) ? now : null
    const payment = await updatePayment(tx, before, changes, nextAt)
    const wasChargedBack = isChargedBack(before)
    if (payment.orderId === null || wasChargedBack === isChargedBack(payment)) return payment
    const order = await lockOrder(tx, payment.storeId, payment.orderId)
    const status = orderStatus(order, !wasChargedBack)
    const changed = await updateOrder(tx, order, { ...order, status }, now)
    const { storeId, id: orderId, paymentId } = order
    const kind = wasChargedBack ? 'chargeback_reversed' : 'charged_back'
    const entry = { storeId, orderId, kind, paymentId, refundId: null, amount: payment.amount } as const
    addToTimeline(tx, { ...entry, actor: 'internal', createdAt: now })
    if (wasChargedBack) {
      await publishUpdated(tx, changed, origin)
    } else {
      const { banOnChargeback } = await findSettings(tx, storeId)
      await publishChargedBack(tx, changed, banOnChargeback, origin)
    }
    return payment
  })
}
