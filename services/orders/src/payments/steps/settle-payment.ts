import type { Transaction } from '@storekeep/common/postgres'
import type { CheckoutSession } from '@storekeep/proto/checkout/v1/checkout_session'
import type { AppContext } from '../../context.ts'
import { insertOrder } from '../../orders/db/order-repository.ts'
import { addToTimeline } from '../../orders/db/timeline-repository.ts'
import { orderStatus } from '../../orders/domain/order.ts'
import { publishChargedBack, publishCreated } from '../../orders/events/publish.ts'
import { orderOfSession } from '../../orders/mappers.ts'
import { makeRefund } from '../../refunds/steps/make-refund.ts'
import { refundWithoutOrder } from '../../refunds/steps/refund-without-order.ts'
import { startSubscription } from '../../subscriptions/steps/start-subscription.ts'
import { cancelManualPayment, lockPayment, updatePayment } from '../db/payment-repository.ts'
import { findSettings } from '../db/settings-repository.ts'
import { isChargedBack, type Payment } from '../domain/payment.ts'
import { type Origin, onBehalfOfPayment } from './origin.ts'

/**
 * Turns the money of a payment into an order, or refunds it if the session can no longer be completed. Every step can be
 * repeated: checkout completes a session for one payment only, and a payment leaves `pending` only once.
 * @throws ServiceFault `service-unavailable`
 */
export async function settlePayment(ctx: AppContext, payment: Payment, origin: Origin): Promise<void> {
  const session = await ctx.sessions.complete(payment, onBehalfOfPayment(origin, payment.storeId))
  // Otherwise the provider would renew what was refunded.
  if (!session) await cancelAtProvider(ctx, payment)
  const refund = await ctx.database.transaction(async (tx) => {
    const before = await lockPayment(tx, payment)
    if (before?.settlement !== 'pending') return undefined
    if (!session) return await refundWithoutOrder(ctx, tx, before, endedReason)
    await createOrder(ctx, tx, before, session, origin)
    return undefined
  })
  if (refund) await makeRefund(ctx, refund, origin)
}

async function createOrder(
  ctx: AppContext,
  tx: Transaction,
  payment: Payment,
  session: CheckoutSession,
  origin: Origin,
): Promise<void> {
  const now = ctx.clock.now()
  const chargedBack = isChargedBack(payment)
  const status = orderStatus({ totalAmount: payment.amount, refundedAmount: 0n }, chargedBack)
  const subscription = await startSubscription(tx, payment, session, now, origin)
  const order = await insertOrder(tx, { ...orderOfSession(session, payment, subscription), status, createdAt: now })
  await updatePayment(tx, payment, { settlement: 'completed', orderId: order.id }, null)
  await cancelManualPayment(tx, payment)
  const entry = { storeId: order.storeId, orderId: order.id, paymentId: payment.id, refundId: null, createdAt: now }
  const kind = payment.markedPaidBy === null ? 'paid' : 'marked_paid'
  addToTimeline(tx, { ...entry, kind, amount: payment.amount, actor: payment.markedPaidBy ?? 'internal' })
  await publishCreated(tx, order, origin)
  if (!chargedBack) return
  // The dispute was reported before the order existed.
  addToTimeline(tx, { ...entry, kind: 'charged_back', amount: payment.amount, actor: 'internal' })
  const { banOnChargeback } = await findSettings(tx, ctx.secrets, order.storeId)
  await publishChargedBack(tx, order, banOnChargeback, origin)
}

async function cancelAtProvider(ctx: AppContext, { storeId, provider, providerSubscription }: Payment): Promise<void> {
  if (providerSubscription === null) return
  const settings = await findSettings(ctx.database, ctx.secrets, storeId)
  await ctx.providers[provider].subscriptions?.cancel(providerSubscription, true, settings)
}

const endedReason = 'The checkout session could not be completed.'
