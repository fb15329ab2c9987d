import { errors } from '@storekeep/common/errors'
import type { MadeRefund } from '../../adapters/providers/provider.ts'
import type { AppContext } from '../../context.ts'
import { lockOrder } from '../../orders/db/order-repository.ts'
import { lockPayment, type PaymentKey } from '../../payments/db/payment-repository.ts'
import { takeoverMs } from '../../payments/steps/delays.ts'
import type { Origin } from '../../steps/origin.ts'
import { insertRefund, selectRefunds } from '../db/refund-repository.ts'
import { splitRefund } from '../domain/refund.ts'
import { refundableOrder } from '../mappers.ts'
import { applyRefundReport } from './report-refund.ts'

/**
 * Records a refund that was made at the provider without Storekeep, as on Stripe's dashboard, and applies what is reported about it.
 * Repeated and outdated reports change nothing.
 * @throws ServiceFault `not-found` for an unknown payment, `service-unavailable` while the payment is not settled: its order must come
 * first, and the provider repeats the report
 */
export async function recordRefund(
  ctx: AppContext,
  key: PaymentKey,
  { amount, ...report }: MadeRefund,
  origin: Origin,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const payment = await lockPayment(tx, key)
    if (payment.settlement === 'none' || payment.settlement === 'pending') {
      throw errors.unavailable(new Error('a payment was refunded before it is settled'))
    }
    const refunds = await selectRefunds(tx, key.storeId, key.id)
    const known = refunds.find(({ providerReference }) => providerReference === report.providerReference)
    // No money was returned.
    if (!known && report.status === 'failed') return
    const { storeId, id: paymentId, orderId } = payment
    const createdAt = ctx.clock.now()
    const nextAt = new Date(createdAt.getTime() + takeoverMs)
    const given = { storeId, paymentId, orderId, amount, lines: [], createdBy: 'internal', createdAt, nextAt }
    const reason = 'Made at the payment provider.'
    const order = known || orderId === null ? undefined : await lockOrder(tx, storeId, orderId)
    const split = order ? splitRefund(amount, [], refundableOrder(order), refunds) : null
    const refund = known ?? (await insertRefund(tx, { ...given, split, reason, attempt: null }))
    await applyRefundReport(ctx, tx, payment, refund.id, report, origin)
  })
}
