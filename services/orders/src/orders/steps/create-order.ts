import type { Transaction } from '@storekeep/common/postgres'
import { updatePayment } from '../../payments/db/payment-repository.ts'
import { findSettings } from '../../payments/db/settings-repository.ts'
import { isChargedBack, type Payment } from '../../payments/domain/payment.ts'
import type { Origin } from '../../steps/origin.ts'
import { type FromPayment, insertOrder, type NewOrder, type OrderRow } from '../db/order-repository.ts'
import { addToTimeline } from '../db/timeline-repository.ts'
import { publishChargedBack, publishCreated } from '../events/publish.ts'

/** Creates the order of a locked payment, which is settled by it. */
export async function createOrder(
  tx: Transaction,
  given: Omit<NewOrder, 'status' | FromPayment>,
  payment: Payment,
  origin: Origin,
): Promise<{ order: OrderRow; payment: Payment }> {
  const isDisputed = isChargedBack(payment)
  const { id: paymentId, storeId, checkoutId, customerId, locale } = payment
  const ids = { storeId, checkoutId, customerId, paymentId, locale }
  const paid = { paymentProvider: payment.provider, paymentReference: payment.providerReference }
  const order = await insertOrder(tx, { ...given, ...ids, ...paid, status: isDisputed ? 'charged_back' : 'paid' })
  const settled = await updatePayment(tx, payment, { settlement: 'completed', orderId: order.id }, null)
  const { id: orderId, createdAt } = order
  const entry = { storeId, orderId, paymentId, refundId: null, amount: payment.amount, createdAt }
  const kind = payment.markedPaidBy === null ? 'paid' : 'marked_paid'
  addToTimeline(tx, { ...entry, kind, actor: payment.markedPaidBy ?? 'internal' })
  await publishCreated(tx, order, origin)
  if (isDisputed) {
    // The dispute was reported before the order existed.
    addToTimeline(tx, { ...entry, kind: 'charged_back', actor: 'internal' })
    await publishChargedBack(tx, order, (await findSettings(tx, storeId)).banOnChargeback, origin)
  }
  return { order, payment: settled }
}
