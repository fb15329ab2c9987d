import { randomId } from '@storekeep/common/testing'
import { type Payment, PaymentProvider as Provider } from '@storekeep/proto/orders/v1/payment'
import { expect } from 'vitest'
import type { FakeSession } from './fake-checkout.ts'
import { type FakeStripe, type SignedWebhook, stripeSecrets, useFakeStripe } from './fake-stripe.ts'
import { asShopper, inStore, start, type TestOrders, useOrders } from './harness.ts'

/** The orders service with a fake of Stripe. See `useOrders`. */
export function useStripe(): { orders: TestOrders; stripe: FakeStripe } {
  const stripe = useFakeStripe()
  const orders = useOrders(async (env) => ({ ...env, STRIPE_BASE_URL: stripe.url }))
  stripe.now = () => orders.clock.now()
  return { orders, stripe }
}

/** Payments with Stripe. See `useStripe`. */
export function useStripePayments() {
  const { orders, stripe } = useStripe()

  /** A store that takes Stripe, and a session to pay there. */
  async function newSession(currency = 'eur') {
    const session = orders.checkout.add(randomId(), {
      currency,
      customerDetails: { billingEmail: 'robin@example.com' },
    })
    const enabledProviders = { providers: [Provider.STRIPE] }
    await orders.client.updatePaymentSettings({ ...stripeSecrets, enabledProviders }, inStore(session.storeId))
    return session
  }

  async function newPayment(): Promise<Payment> {
    return await start(orders, await newSession(), Provider.STRIPE)
  }

  const deliver = ({ storeId }: Payment, webhook: SignedWebhook) =>
    orders.client.handleWebhook({ provider: Provider.STRIPE, ...webhook }, asShopper(storeId))

  async function read({ checkoutId, storeId, id }: Payment): Promise<Payment | undefined> {
    const { payments } = await orders.client.listPayments({ checkoutId }, inStore(storeId))
    return payments.find((one) => one.id === id)
  }

  async function orderOf(payment: Payment) {
    const { orders: all } = await orders.orders.listOrders({}, inStore(payment.storeId))
    expect(all.length).toBeLessThanOrEqual(1)
    return all[0]
  }

  return { orders, stripe, newSession, newPayment, deliver, read, orderOf }
}

/** Subscriptions with Stripe. See `useStripe`. */
export function useStripeSubscriptions() {
  const { orders, stripe } = useStripe()

  /** A payment that starts a subscription for 10.00 a month, not paid yet. */
  async function startAtStripe(fields: Partial<FakeSession> = {}, terms: object = {}): Promise<Payment> {
    const session = orders.checkout.addSubscription(randomId(), fields, terms)
    const enabledProviders = { providers: [Provider.STRIPE] }
    await orders.client.updatePaymentSettings({ ...stripeSecrets, enabledProviders }, inStore(session.storeId))
    return await start(orders, session, Provider.STRIPE)
  }

  const deliver = (storeId: string, webhook: SignedWebhook) =>
    orders.client.handleWebhook({ provider: Provider.STRIPE, ...webhook }, asShopper(storeId))

  async function subscribe(fields: Partial<FakeSession> = {}, terms: object = {}) {
    const payment = await startAtStripe(fields, terms)
    await deliver(payment.storeId, stripe.pay(payment.id))
    const { storeId, customerId } = payment
    const options = inStore(storeId)
    const { subscriptions } = await orders.subscriptions.listSubscriptions({}, options)
    const [{ id: subscriptionId, providerReference: reference = '' } = { id: '' }] = subscriptions
    return {
      id: subscriptionId,
      reference,
      payment,
      storeId,
      customerId,
      options,
      deliver: async (...webhooks: SignedWebhook[]) =>
        void (await Promise.all(webhooks.map((one) => deliver(storeId, one)))),
      read: async () => (await orders.subscriptions.getSubscription({ subscriptionId }, options)).subscription,
      cancel: (now = false) => orders.subscriptions.cancelSubscription({ subscriptionId, now }, options),
      orders: async () => {
        const page = { asc: true, limit: 100 }
        return (await orders.orders.listOrders({ subscriptionId, page }, options)).orders
      },
    }
  }

  return { orders, stripe, startAtStripe, deliver, subscribe }
}
