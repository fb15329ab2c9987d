import type { AppContext, PaymentHandlers } from '../../context.ts'
import { actOnTestPayment } from './act-on-test-payment.ts'
import { checkWebhookReceiver } from './check-webhook-receiver.ts'
import { getPaymentSettings } from './get-payment-settings.ts'
import { getPaymentState } from './get-payment-state.ts'
import { handleWebhook } from './handle-webhook.ts'
import { listPaymentMethods } from './list-payment-methods.ts'
import { listPayments } from './list-payments.ts'
import { markPaymentPaid } from './mark-payment-paid.ts'
import { recordPayment } from './record-payment.ts'
import { startPayment } from './start-payment.ts'
import { updatePaymentSettings } from './update-payment-settings.ts'

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
