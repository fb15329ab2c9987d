import { errors } from '@storekeep/common/errors'
import type Stripe from 'stripe'
import type { SubscriptionProvider } from './provider.ts'
import { attempt } from './stripe-calls.ts'
import { reportOfSubscription, subscriptionMetadata } from './stripe-objects.ts'

/** Subscriptions of Stripe Billing, which charges each period by itself. */
export function createStripeSubscriptions(connect: () => Promise<Stripe>): SubscriptionProvider {
  return {
    async read(reference) {
      const stripe = await connect()
      const paid = { subscription: reference, status: 'paid', limit: 100 } as const
      const [subscription, invoices] = await Promise.all([
        attempt(() => stripe.subscriptions.retrieve(reference)),
        attempt(() => stripe.invoices.list({ ...paid, expand: ['data.payments'] })),
      ])
      return reportOfSubscription(required(subscription), required(invoices).data)
    },
    async cancel(reference, isNow) {
      const stripe = await connect()
      await changeUnlessEnded(stripe, reference, () =>
        isNow
          ? stripe.subscriptions.cancel(reference)
          : stripe.subscriptions.update(reference, { cancel_at_period_end: true }),
      )
    },
    async startMethodUpdate(reference, { successUrl, cancelUrl }) {
      const stripe = await connect()
      const subscription = required(await attempt(() => stripe.subscriptions.retrieve(reference)))
      const { customer, currency } = subscription
      const session = required(
        await attempt(() =>
          stripe.checkout.sessions.create({
            mode: 'setup',
            currency,
            customer: typeof customer === 'string' ? customer : customer.id,
            success_url: successUrl,
            cancel_url: cancelUrl,
            metadata: { [subscriptionMetadata]: reference },
          }),
        ),
      )
      if (session.url === null) throw new Error('Stripe returned no address')
      return session.url
    },
    async useMethod(reference, setup) {
      const stripe = await connect()
      const { payment_method } = required(await attempt(() => stripe.setupIntents.retrieve(setup)))
      const method = typeof payment_method === 'string' ? payment_method : payment_method?.id
      if (method === undefined) return
      await changeUnlessEnded(stripe, reference, () =>
        stripe.subscriptions.update(reference, { default_payment_method: method }),
      )
    },
  }
}

/**
 * Stripe rejects changes of a subscription that has ended.
 * @throws ServiceFault `service-unavailable` if Stripe rejects the change of a subscription that has not ended
 */
async function changeUnlessEnded(stripe: Stripe, reference: string, change: () => Promise<unknown>): Promise<void> {
  const done = await attempt(change)
  if ('done' in done) return
  const { status } = required(await attempt(() => stripe.subscriptions.retrieve(reference)))
  if (status !== 'canceled' && status !== 'incomplete_expired') throw rejected(done.rejected)
}

function required<T>(result: { done: T } | { rejected: string }): T {
  if ('done' in result) return result.done
  throw rejected(result.rejected)
}

/** The store's staff can repair it at Stripe. */
function rejected(reason: string) {
  return errors.unavailable(new Error(`Stripe rejected a request about a subscription: ${reason}`))
}
