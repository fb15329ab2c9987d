import { errors } from '@storekeep/common/errors'
import { onBehalfOf, requireStore } from '@storekeep/common/grpc'
import { present } from '@storekeep/common/message'
import type { AppContext, PaymentHandlers } from '../../context.ts'
import { findOrderOfCheckout } from '../../orders/db/order-repository.ts'
import { orderToProto } from '../../orders/mappers.ts'
import { selectPayments } from '../db/payment-repository.ts'
import { findSettings } from '../db/settings-repository.ts'
import { currentPayment } from '../domain/payment.ts'
import { paymentToProto } from '../mappers.ts'

export function getPaymentState(ctx: AppContext): PaymentHandlers['getPaymentState'] {
  return async ({ token }, call) => {
    const storeId = requireStore(call)
    const session = await ctx.sessions.findByToken(token, onBehalfOf(call))
    if (session.storeId !== storeId) throw errors.notFound('checkout session')
    const [payments, order, settings] = await Promise.all([
      selectPayments(ctx.database, storeId, session.id),
      findOrderOfCheckout(ctx.database, storeId, session.id),
      findSettings(ctx.database, storeId),
    ])
    const payment = currentPayment(payments)
    return present({
      sessionStatus: session.status,
      payment: payment && paymentToProto(payment),
      redirectUrl: payment?.status === 'pending' ? payment.redirectUrl : null,
      instructions: payment?.provider === 'manual' ? settings.manualInstructions : null,
      order: order && orderToProto(order),
    })
  }
}
