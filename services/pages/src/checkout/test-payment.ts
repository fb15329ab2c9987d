import { type Payment, PaymentProvider, PaymentStatus } from '@storekeep/proto/orders/v1/payment'
import { TestPaymentAction } from '@storekeep/proto/orders/v1/payments_service'
import { isTestRejected } from '../http/is-test-rejected.ts'
import { enforceLimit } from '../http/limits.ts'
import { type Handler, redirect } from '../http/route.ts'
import { unknownCheckout } from '../views/checkout-messages.ts'
import { pageReply } from '../views/layout.ts'
import { type Decision, testPaymentForm } from '../views/test-payment-form.ts'
import { checkoutPath } from './links.ts'
import { type FoundCheckout, findCheckout, loadCheckout } from './load-checkout.ts'

/** The page of the provider `test`, in place of the page of a real one. */
export const showTestPayment: Handler = async (ctx, request) => {
  const { language } = request
  const checkout = await loadCheckout(ctx, request)
  if (checkout === undefined) return pageReply(request, { ...unknownCheckout(language), status: 404 })
  const payment = testPaymentOf(checkout)
  if (payment === undefined) return redirect(checkoutPath(request, checkout))
  const { store, session } = checkout
  return pageReply(request, {
    title: language.texts.testTitle,
    content: testPaymentForm(payment, possibleDecisions(payment), checkout, request),
    store,
    scripts: ['forms.js'],
    formOrigins: session.autoRedirect && session.returnUrl ? [new URL(session.returnUrl).origin] : [],
  })
}

export const decideTestPayment: Handler = async (ctx, request) => {
  const checkout = await findCheckout(ctx, request)
  if (checkout === undefined) return redirect(`${request.site.path}/`)
  enforceLimit(ctx, 'form-token', checkout.token, ctx.config.limits.formTokenPerMinute)
  const payment = testPaymentOf(checkout)
  const decision = (await request.form()).get('decision') ?? ''
  const action = actions.get(decision)
  if (payment !== undefined && action !== undefined) {
    const call = request.call(checkout.session.storeId)
    if (await isTestRejected(ctx.payments.actOnTestPayment({ paymentId: payment.id, action }, call))) {
      return redirect(checkoutPath(request, checkout, '/test-payment', 'test-rejected'))
    }
  }
  return redirect(checkoutPath(request, checkout, decision === 'charge-back' ? '/test-payment' : '/'))
}

function testPaymentOf({ state }: FoundCheckout): Payment | undefined {
  return state.payment?.provider === PaymentProvider.TEST ? state.payment : undefined
}

function possibleDecisions({ status }: Payment): Decision[] {
  switch (status) {
    case PaymentStatus.PENDING:
      return ['approve', 'decline', 'delay']
    case PaymentStatus.PROCESSING:
      return ['approve', 'decline']
    case PaymentStatus.SUCCEEDED:
      return ['charge-back']
    default:
      return []
  }
}

const actions: ReadonlyMap<string, TestPaymentAction> = new Map<Decision, TestPaymentAction>([
  ['approve', TestPaymentAction.APPROVE],
  ['decline', TestPaymentAction.DECLINE],
  ['delay', TestPaymentAction.DELAY],
  ['charge-back', TestPaymentAction.CHARGE_BACK],
])
