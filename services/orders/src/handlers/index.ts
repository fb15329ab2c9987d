import type { AppContext, OrderHandlers, PaymentHandlers } from '../context.ts'
import { actOnTestPayment } from './act-on-test-payment.ts'
import { checkWebhookReceiver } from './check-webhook-receiver.ts'
import { createRefund } from './create-refund.ts'
import { getCustomerOrder } from './get-customer-order.ts'
import { getOrder } from './get-order.ts'
import { getPaymentSettings } from './get-payment-settings.ts'
import { getPaymentState } from './get-payment-state.ts'
import { handleWebhook } from './handle-webhook.ts'
import { listCustomerOrders } from './list-customer-orders.ts'
import { listOrders } from './list-orders.ts'
import { listPaymentMethods } from './list-payment-methods.ts'
import { listPayments } from './list-payments.ts'
import { listTimeline } from './list-timeline.ts'
import { markPaymentPaid } from './mark-payment-paid.ts'
import { recordPayment } from './record-payment.ts'
import { startPayment } from './start-payment.ts'
import { updatePaymentSettings } from './update-payment-settings.ts'

export function createOrderHandlers(ctx: AppContext): OrderHandlers {
  return {
    getOrder: getOrder(ctx),
    listOrders: listOrders(ctx),
    listTimeline: listTimeline(ctx),
    createRefund: createRefund(ctx),
    listCustomerOrders: listCustomerOrders(ctx),
    getCustomerOrder: getCustomerOrder(ctx),
  }
}

export function createPaymentHandlers(ctx: AppContext): PaymentHandlers {
  return {
    listPayments: listPayments(ctx),
    markPaymentPaid: markPaymentPaid(ctx),
    recordPayment: recordPayment(ctx),
    getPaymentSettings: getPaymentSettings(ctx),
    updatePaymentSettings: updatePaymentSettings(ctx),
    listPaymentMethods: listPaymentMethods(ctx),
    startPayment: startPayment(ctx),
    getPaymentState: getPaymentState(ctx),
    checkWebhookReceiver: checkWebhookReceiver(ctx),
    handleWebhook: handleWebhook(ctx),
    actOnTestPayment: actOnTestPayment(ctx),
  }
}
