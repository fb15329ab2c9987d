import { setTimeout as pause } from 'node:timers/promises'
import { errors, isFault } from '@storekeep/common/errors'
import { createClient } from '@storekeep/common/grpc'
import { createTestTransport, operator } from '@storekeep/common/testing'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { openShop, type SeededRandom, type System, type TestStore } from '@storekeep/test/kit'
import { type FakeStripe, type SignedWebhook, stripeSecrets } from '../../services/orders/test/fake-stripe.ts'

/** Opens a store that charges taxes and takes Stripe and manual payments, with shoppers who retry during outages, as people and Stripe do. */
export async function openPaymentShop(system: System, stripe: FakeStripe, random: SeededRandom): Promise<PaymentShop> {
  const store = await system.createStore()
  const kit = openShop(store)
  await expectSuccess(() =>
    store.patch('/payment-settings', {
      enabled_providers: ['stripe', 'manual'],
      manual_instructions: 'Pay at the desk.',
      stripe_secret_key: stripeSecrets.stripeSecretKey,
      stripe_webhook_secret: stripeSecrets.stripeWebhookSecret,
    }),
  )
  const registrations = [{ country: 'DE', rate: 1900, name: 'VAT' }]
  await expectSuccess(() => store.patch('', { tax: { mode: 'exclusive', registrations } }))
  const coupon = await kit.coupon()
  const toOrders = createTestTransport('orders', system.orders.address)
  const toCheckout = createTestTransport('checkout', system.checkout.address)
  const payments = createClient(PaymentsService, toOrders)
  const checkout = createClient(CheckoutService, toCheckout)
  const counts = { purchases: 0, banned: 0, webhooks: 0, retries: 0 }

  /** Repeats what fails because a process is down. */
  async function untilDone<T>(act: () => Promise<T>): Promise<T> {
    for (const deadline = performance.now() + 90_000; ; counts.retries += 1) {
      try {
        return await act()
      } catch (error) {
        const isTemporary = isFault(error, 'service-unavailable')
        if (!isTemporary || performance.now() > deadline) throw error
        await pause(100)
      }
    }
  }

  async function expectSuccess<T>(send: () => ReturnType<typeof store.post<T>>, others: readonly number[] = []) {
    return await untilDone(async () => {
      const response = await send()
      if (response.status === 503) throw errors.unavailable(new Error(response.text))
      if (response.status >= 300 && !others.includes(response.status)) throw new Error(response.text)
      return response
    })
  }

  const shop: PaymentShop = {
    store,
    counts,
    async open() {
      const customer = await kit.customer()
      const line = { quantity: 1, inline_product: { name: 'VIP rank', price: 1000, allow_one_time_purchase: true } }
      const customer_details = { billing_address: { country: 'DE' } }
      const input = { customer_id: customer.id, lines: [line], coupon_id: coupon.id, customer_details }
      const { body } = await expectSuccess(() => store.post<{ id: string; url: string }>('/checkouts', input))
      counts.purchases += 1
      return { id: body.id, token: new URL(body.url).searchParams.get('t') ?? '', customerId: customer.id }
    },
    async start({ token }, provider = PaymentProvider.STRIPE) {
      const addresses = { successUrl: 'https://shop.example.com/paid', cancelUrl: 'https://shop.example.com/cart' }
      const { payment } = await untilDone(() =>
        payments.startPayment({ token, provider, ...addresses }, asPages(store.id)),
      )
      if (!payment) throw new Error('StartPayment returned no payment')
      return payment.id
    },
    async deliver(webhooks) {
      const twice = [...webhooks, ...webhooks].map((webhook) => ({ webhook, order: random.below(1000) }))
      twice.sort((a, b) => a.order - b.order)
      counts.webhooks += twice.length
      await Promise.all(
        twice.map(({ webhook }) =>
          untilDone(() => payments.handleWebhook({ provider: PaymentProvider.STRIPE, ...webhook }, asPages(store.id))),
        ),
      )
    },
    // 409: the session was completed by another payment before the money was recorded.
    markPaid: async (id) => void (await expectSuccess(() => store.post(`/payments/${id}/mark-paid`), [409])),
    cancel: async ({ id }) =>
      void (await untilDone(() =>
        checkout.cancelCheckoutSession({ checkoutId: id }, { ...operator({}), storeId: store.id }),
      )),
    ban: async (ban_type_value) => {
      const identities = [{ ban_type: 'customer', ban_type_value }]
      await expectSuccess(() => store.post('/bans', { identities }))
    },
    async buy(kind, { expire }) {
      const purchase = await shop.open()
      if (kind === 'banned meanwhile') {
        await shop.ban(purchase.customerId)
        const started = await shop.start(purchase).catch((error: unknown) => error)
        if (!isFault(started, 'customer-banned')) {
          throw new Error(`a banned customer could pay: ${started}`)
        }
        counts.banned += 1
        return
      }
      const payment = await shop.start(purchase)
      switch (kind) {
        case 'pays':
          return await shop.deliver([stripe.pay(payment)])
        case 'pays with a delayed method':
          return await shop.deliver([stripe.pay(payment, 'unpaid'), stripe.finishDelayed(payment, true)])
        case 'fails with a delayed method':
          return await shop.deliver([stripe.pay(payment, 'unpaid'), stripe.finishDelayed(payment, false)])
        case 'pays twice': {
          const manual = await shop.start(purchase, PaymentProvider.MANUAL)
          return void (await Promise.all([shop.deliver([stripe.pay(payment)]), shop.markPaid(manual)]))
        }
        case 'pays an expired session':
          await expire(purchase.id)
          return await shop.deliver([stripe.pay(payment)])
        case 'pays a canceled session':
          await shop.cancel(purchase)
          return await shop.deliver([stripe.pay(payment)])
        case 'pays while it is canceled': {
          const end = shop.cancel(purchase).catch((error: unknown) => {
            if (!isFault(error, 'conflict')) throw error
          })
          return void (await Promise.all([shop.deliver([stripe.pay(payment)]), end]))
        }
      }
    },
    close() {
      toOrders.close()
      toCheckout.close()
    },
  }
  return shop
}

function asPages(storeId: string) {
  return { ...operator({ actor: { type: ActorType.ANONYMOUS } }), storeId, deadlineMs: 5000 }
}

/** What shoppers do, each as often as the others. */
export const kindsOfShoppers = [
  'pays',
  'pays an expired session',
  'pays twice',
  'banned meanwhile',
  'pays with a delayed method',
  'pays a canceled session',
  'pays while it is canceled',
  'fails with a delayed method',
] as const

export interface Purchase {
  /** Id of the checkout session. */
  id: string
  token: string
  customerId: string
}

export interface PaymentShop {
  store: TestStore
  counts: { purchases: number; banned: number; webhooks: number; retries: number }
  /** Opens a checkout session with a coupon for a new customer. */
  open(): Promise<Purchase>
  /** Starts to pay it. @returns the id of the payment */
  start(purchase: Purchase, provider?: PaymentProvider): Promise<string>
  /** Delivers every webhook twice, in any order. */
  deliver(webhooks: readonly SignedWebhook[]): Promise<void>
  markPaid(payment: string): Promise<void>
  cancel(purchase: Purchase): Promise<void>
  ban(customerId: string): Promise<void>
  buy(
    kind: (typeof kindsOfShoppers)[number],
    options: { expire: (checkoutId: string) => Promise<unknown> },
  ): Promise<void>
  close(): void
}
