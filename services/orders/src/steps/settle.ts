import type { Transaction } from '@storekeep/common/postgres'
import type { CheckoutSession } from '@storekeep/proto/checkout/v1/checkout_session'
import type { AppContext } from '../context.ts'
import { newOrderId } from '../orders/db/order-repository.ts'
import { orderOfSession } from '../orders/mappers.ts'
import { createOrder } from '../orders/steps/create-order.ts'
import { cancelManualPayment, lockPayment } from '../payments/db/payment-repository.ts'
import type { Payment } from '../payments/domain/payment.ts'
import { type PaymentWork, requestRefund } from '../refunds/steps/request-refund.ts'
import { startSubscription } from '../subscriptions/steps/start-subscription.ts'
import { type Origin, onBehalfOfPayment } from './origin.ts'

/**
 * Turns the money of a payment into an order, or requests its refund if the session can no longer be completed. Can be repeated:
 * checkout completes a session for one payment only, and a payment leaves `pending` only once.
 * @throws ServiceFault `service-unavailable`
 */
export async function settle(ctx: AppContext, payment: Payment, origin: Origin): Promise<PaymentWork> {
  const orderId = await newOrderId(ctx.database)
  const session = await ctx.sessions.complete(payment, orderId, onBehalfOfPayment(origin, payment.storeId))
  // Otherwise the provider would renew the refunded subscription.
  if (!session) await cancelAtProvider(ctx, payment)
  return await ctx.database.transaction(async (tx) => {
    const before = await lockPayment(tx, payment)
    if (before.settlement !== 'pending') return { payment: before }
    const now = ctx.clock.now()
    if (session) return { payment: await createFirstOrder(tx, before, session, now, origin) }
    return await requestRefund(tx, before, 'The checkout session could not be completed.', now)
  })
}

async function createFirstOrder(
  tx: Transaction,
  payment: Payment,
  session: CheckoutSession,
  now: Date,
  origin: Origin,
): Promise<Payment> {
  const subscription = await startSubscription(tx, payment, session, now, origin)
  cancelManualPayment(tx, payment)
  const order = orderOfSession(session, subscription, now)
  return (await createOrder(tx, order, payment, origin)).payment
}

async function cancelAtProvider(ctx: AppContext, { storeId, provider, providerSubscription }: Payment): Promise<void> {
  if (providerSubscription === null) return
  const { providers } = await ctx.providers.forStore(storeId)
  await providers[provider].subscriptions?.cancel(providerSubscription, true)
}
