import type { Transaction } from '@storekeep/common/postgres'
import type { Tax } from '@storekeep/proto/checkout/v1/checkout_session'
import type { AppContext } from '../../context.ts'
import { findOrderOfCheckout, isPeriodPaid } from '../../orders/db/order-repository.ts'
import { createOrder } from '../../orders/steps/create-order.ts'
import { insertRenewalPayment } from '../../payments/db/payment-repository.ts'
import type { PaidPeriod } from '../../payments/domain/payment.ts'
import { requestRefund } from '../../refunds/steps/request-refund.ts'
import type { Origin } from '../../steps/origin.ts'
import { updateSubscription } from '../db/subscription-repository.ts'
import { nextReading, type Subscription, stateAfterRenewal } from '../domain/subscription.ts'
import { publishRenewed } from '../events/publish.ts'
import { orderOfRenewal } from '../mappers.ts'

/**
 * Turns a paid period of a locked subscription into an order, once: a repeated report changes nothing. The money of a second
 * payment of the same period is refunded.
 * @param tax how renewals are taxed now; undefined without tax
 * @returns the subscription as it is now
 */
export async function recordRenewal(
  ctx: AppContext,
  tx: Transaction,
  subscription: Subscription,
  period: PaidPeriod,
  tax: Tax | undefined,
  origin: Origin,
): Promise<Subscription> {
  const now = ctx.clock.now()
  const { storeId, checkoutId } = subscription
  const first = await findOrderOfCheckout(tx, storeId, checkoutId)
  if (!first) throw new Error('the first order of a subscription was not found')
  const payment = await insertRenewalPayment(tx, subscription, period, first, now)
  if (!payment) return subscription
  const renewal = orderOfRenewal(subscription, period, first, tax, now)
  if (await isPeriodPaid(tx, { ...renewal, storeId })) {
    await requestRefund(tx, payment, 'The period of the subscription was already paid.', now)
    return subscription
  }
  const { order } = await createOrder(tx, renewal, payment, origin)
  const state = stateAfterRenewal(subscription, period)
  const after = await updateSubscription(tx, subscription, state, now, nextReading(state, now))
  await publishRenewed(tx, after, order.id, origin)
  return after
}
