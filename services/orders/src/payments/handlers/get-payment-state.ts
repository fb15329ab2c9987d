import { onBehalfOf } from '@storekeep/common/grpc'
import { present } from '@storekeep/common/message'
import { CheckoutSessionStatus } from '@storekeep/proto/checkout/v1/checkout_session'
import type { AppContext, PaymentHandlers } from '../../context.ts'
import { findOrderOfCheckout } from '../../orders/db/order-repository.ts'
import { orderToProto } from '../../orders/mappers.ts'
import { selectPayments } from '../db/payment-repository.ts'
import { findSettings } from '../db/settings-repository.ts'
import { currentPayment } from '../domain/payment.ts'
import { paymentToProto } from '../mappers.ts'

export function getPaymentState(ctx: AppContext): PaymentHandlers['getPaymentState'] {
  return async ({ token }, call) => {
    const session = await ctx.sessions.findByToken(token, onBehalfOf(call))
    const { storeId } = session
    const isCompleted = session.status === CheckoutSessionStatus.COMPLETED
    const [payments, order] = await Promise.all([
      selectPayments(ctx.database, storeId, session.id),
      isCompleted ? findOrderOfCheckout(ctx.database, storeId, session.id) : undefined,
    ])
    const payment = currentPayment(payments)
    const isManual = payment?.provider === 'manual'
    return present({
      session,
      sessionStatus: session.status,
      payment: payment && paymentToProto(payment),
      redirectUrl: payment?.status === 'pending' ? payment.redirectUrl : null,
      instructions: isManual ? (await findSettings(ctx.database, storeId)).manualInstructions : null,
      order: order && orderToProto(order),
    })
  }
}
