import { errors } from '@storekeep/common/errors'
import type Stripe from 'stripe'
import { paymentIntentOf, type StripeReader } from './stripe-objects.ts'

/**
 * Calls Stripe.
 * @returns `rejected` with the reason if repeating the request cannot succeed
 * @throws ServiceFault `service-unavailable` for everything that can be repaired, without the text of Stripe's error, which
 * can quote the request
 */
export async function attempt<T>(call: () => Promise<T>): Promise<{ done: T } | { rejected: string }> {
  try {
    return { done: await call() }
  } catch (error) {
    const { type, message, code } = error as Partial<Stripe.errors.StripeError>
    const isRejected = type === 'StripeInvalidRequestError' || type === 'StripeCardError'
    if (isRejected) return { rejected: message ?? 'rejected by Stripe' }
    throw errors.unavailable(new Error(`Stripe failed: ${type ?? 'no response'} ${code ?? ''}`.trim()))
  }
}

/** Reads what events do not contain. What does not exist at Stripe is absent. */
export function readerOf(stripe: Stripe): StripeReader {
  return {
    async metadataOf(paymentIntent) {
      const found = await attempt(() => stripe.paymentIntents.retrieve(paymentIntent))
      return 'done' in found ? found.done.metadata : {}
    },
    async paymentOf(invoice) {
      const found = await attempt(() => stripe.invoices.retrieve(invoice, { expand: ['payments'] }))
      return 'done' in found ? paymentIntentOf(found.done) : undefined
    },
    async invoiceOf(payment_intent) {
      const payment = { type: 'payment_intent', payment_intent } as const
      const found = await attempt(() => stripe.invoicePayments.list({ payment, expand: ['data.invoice'] }))
      const invoice = 'done' in found ? found.done.data[0]?.invoice : undefined
      return typeof invoice === 'object' && !invoice.deleted ? invoice : undefined
    },
  }
}
