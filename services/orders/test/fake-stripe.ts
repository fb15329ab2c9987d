import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import StripeClient, { type Stripe } from 'stripe'
import { afterAll, beforeAll } from 'vitest'
import { apiVersion } from '../src/adapters/providers/stripe-provider.ts'
import { createFakeBilling, type FakeInvoice, type FakeSubscription } from './fake-stripe-billing.ts'

export const stripeSecrets = {
  stripeSecretKey: 'sk_test_0123456789abcdef',
  stripeWebhookSecret: 'whsec_0123456789abcdef',
}

/** How the fake fails: with status 500 before it acts, or by closing the connection after it has acted. */
export type StripeOutage = 'none' | 'down' | 'losesResponses'

/**
 * The part of Stripe's API that Storekeep uses, with its idempotency keys, and its page, on which nothing happens. The objects
 * have the types of the official package, which is generated from Stripe's published OpenAPI description.
 */
function createFakeStripe(): FakeStripe & { listen(): Promise<void> } {
  const sessions = new Map<string, FakeSession>()
  const intents = new Map<string, FakeIntent>()
  const refunds = new Map<string, FakeRefund>()
  const responses = new Map<string, { request: string; status: number; body: object }>()
  let number = 0
  const newId = (prefix: string) => `${prefix}_test_${++number}${randomUUID().slice(0, 8)}`
  const forms = new Map<string, URLSearchParams>()
  const billing = createFakeBilling(newId, () => fake.now())

  const fake: FakeStripe = {
    outage: 'none',
    refundStatus: 'succeeded',
    rejectsRefunds: false,
    rejectMethods: (isRejected) => {
      billing.rejectsMethods = isRejected
    },
    now: () => new Date(),
    url: '',
    sessions: () => [...sessions.values()],
    intents: () => [...intents.values()],
    refunds: () => [...refunds.values()],
    sessionOf(paymentId) {
      const session = fake.sessions().find(({ metadata }) => metadata.storekeep_payment_id === paymentId)
      if (!session) throw new Error(`Stripe has no session of payment ${paymentId}`)
      return session
    },
    pay(paymentId, how = 'paid') {
      const session = fake.sessionOf(paymentId)
      const isSubscription = session.mode === 'subscription'
      // The payment intent of an invoice has no metadata of ours.
      const intent = newIntent(isSubscription ? {} : session.metadata, how === 'paid' ? 'succeeded' : 'processing')
      Object.assign(session, { status: 'complete', payment_status: how })
      if (!isSubscription) session.payment_intent = intent
      else if (session.subscription === null) {
        const form = forms.get(session.id) ?? new URLSearchParams()
        const { subscription, invoice } = billing.start(form, session.metadata, intent)
        Object.assign(session, { subscription: subscription.id, invoice: invoice.id })
      }
      return signed('checkout.session.completed', session)
    },
    renew(subscriptionId) {
      const invoice = billing.renew(subscriptionId, newIntent({}, 'succeeded'))
      return { invoice, webhooks: [signed('invoice.paid', invoice), fake.changed(subscriptionId)] }
    },
    failRenewal(subscriptionId) {
      const { subscription } = billing.planOf(subscriptionId)
      subscription.status = 'past_due'
      const parent = {
        type: 'subscription_details',
        subscription_details: { subscription: subscriptionId, metadata: {} },
      }
      return [
        signed('invoice.payment_failed', { id: newId('in'), object: 'invoice', parent }),
        fake.changed(subscriptionId),
      ]
    },
    endSubscription(subscriptionId, reason) {
      const { subscription } = billing.planOf(subscriptionId)
      Object.assign(subscription, { status: 'canceled', cancellation_details: { reason } })
      return signed('customer.subscription.deleted', subscription)
    },
    invoices: (subscriptionId) => billing.invoicesOf(subscriptionId),
    changed: (subscriptionId) => signed('customer.subscription.updated', billing.planOf(subscriptionId).subscription),
    subscription: (subscriptionId) => billing.planOf(subscriptionId).subscription,
    enterMethod(sessionUrl) {
      const session = fake.sessions().find(({ url }) => url === sessionUrl)
      if (session?.mode !== 'setup') throw new Error('Stripe has no session for a payment method there')
      Object.assign(session, { status: 'complete', setup_intent: newId('seti') })
      return signed('checkout.session.completed', session)
    },
    finishDelayed(paymentId, hasSucceeded) {
      const session = fake.sessionOf(paymentId)
      const intent = intents.get(session.payment_intent ?? '')
      if (!intent) throw new Error('the session has no delayed payment')
      intent.status = hasSucceeded ? 'succeeded' : 'requires_payment_method'
      if (hasSucceeded) session.payment_status = 'paid'
      return signed(`checkout.session.async_payment_${hasSucceeded ? 'succeeded' : 'failed'}`, session)
    },
    expire(paymentId) {
      const session = fake.sessionOf(paymentId)
      session.status = 'expired'
      return signed('checkout.session.expired', session)
    },
    dispute(paymentId, status) {
      const { payment_intent, amount_total, currency } = fake.sessionOf(paymentId)
      const dispute = {
        id: `du_${paymentId}`,
        object: 'dispute',
        amount: amount_total,
        currency,
        payment_intent,
        status,
      }
      const isOpen = status === 'needs_response' || status === 'warning_needs_response'
      return signed(`charge.dispute.${isOpen ? 'created' : 'closed'}`, dispute)
    },
    disputeInvoice({ id, payments, amount_paid, currency }, status) {
      const payment_intent = payments.data[0]?.payment.payment_intent
      const dispute = { id: `du_${id}`, object: 'dispute', amount: amount_paid, currency, payment_intent, status }
      return signed(`charge.dispute.${status === 'needs_response' ? 'created' : 'closed'}`, dispute)
    },
    endRefund(refundId, status) {
      const refund = fake.refunds().find(({ metadata }) => metadata.storekeep_refund_id === refundId)
      if (!refund) throw new Error(`Stripe has no refund ${refundId}`)
      refund.status = status
      if (status === 'failed') refund.failure_reason = 'expired_or_canceled_card'
      return signed(status === 'failed' ? 'refund.failed' : 'refund.updated', refund)
    },
    refundOnDashboard(paymentId, amount) {
      const { payment_intent, currency } = fake.sessionOf(paymentId)
      const refund: FakeRefund = {
        id: newId('re'),
        object: 'refund',
        amount,
        currency: currency ?? '',
        payment_intent: payment_intent ?? '',
        metadata: {},
        status: 'succeeded',
      }
      refunds.set(refund.id, refund)
      return {
        created: signed('refund.created', { ...refund, status: 'pending' }),
        updated: signed('refund.updated', refund),
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  }

  function handle(method: string, path: string, form: URLSearchParams): [status: number, body: object] {
    const billed = billing.respond(method, path, form)
    if (billed) return [200, billed]
    const [, , first = '', second = '', third = ''] = path.split('/')
    if (method === 'POST' && path === '/v1/checkout/sessions') return [200, createSession(form)]
    if (method === 'POST' && path.endsWith('/expire')) return expireSession(sessions.get(third))
    if (method === 'POST' && path === '/v1/refunds') return createRefund(form)
    const found =
      first === 'checkout' && second === 'sessions'
        ? expanded(sessions.get(third))
        : { payment_intents: intents, refunds }[first]?.get(second)
    return found ? [200, found] : [404, failure('invalid_request_error', 'There is no such object.')]
  }

  function newIntent(metadata: Record<string, string>, status: FakeIntent['status']): string {
    const id = newId('pi')
    intents.set(id, { id, object: 'payment_intent', metadata, status })
    return id
  }

  function createSession(form: URLSearchParams): FakeSession {
    const id = newId('cs')
    forms.set(id, form)
    const isSubscription = form.get('mode') === 'subscription'
    const session: FakeSession = {
      id,
      object: 'checkout.session',
      amount_total: isSubscription
        ? billing.firstTotal(form)
        : Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      client_reference_id: form.get('client_reference_id'),
      customer_email: form.get('customer_email'),
      metadata: metadataIn(form),
      mode: form.get('mode') ?? '',
      subscription: null,
      invoice: null,
      setup_intent: null,
      payment_intent: null,
      payment_status: 'unpaid',
      status: 'open',
      url: `${fake.url}/c/pay/${id}`,
      expires_at: Number(form.get('expires_at')),
    }
    sessions.set(id, session)
    return session
  }

  function expireSession(session: FakeSession | undefined): [status: number, body: object] {
    if (session?.status !== 'open') return [400, failure('invalid_request_error', 'The session is not open.')]
    session.status = 'expired'
    return [200, session]
  }

  function createRefund(form: URLSearchParams): [status: number, body: object] {
    const payment_intent = form.get('payment_intent') ?? ''
    const amount = Number(form.get('amount'))
    const session = fake.sessions().find((one) => one.payment_intent === payment_intent)
    const paid = session?.amount_total ?? billing.paidWith(payment_intent) ?? 0
    const before = fake.refunds().filter((one) => one.payment_intent === payment_intent && one.status !== 'failed')
    const total = before.reduce((sum, one) => sum + one.amount, amount)
    if (fake.rejectsRefunds || total > paid) {
      return [400, failure('invalid_request_error', 'The charge cannot be refunded.')]
    }
    const refund: FakeRefund = {
      id: newId('re'),
      object: 'refund',
      amount,
      currency: session?.currency ?? 'eur',
      payment_intent,
      metadata: metadataIn(form),
      status: fake.refundStatus,
    }
    refunds.set(refund.id, refund)
    return [200, refund]
  }

  function expanded(session: FakeSession | undefined): object | undefined {
    return session && { ...session, payment_intent: intents.get(session.payment_intent ?? '') ?? null }
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://stripe')
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (path.startsWith('/c/pay/')) return void response.end('<title>Stripe</title><h1>Stripe</h1>')
    const outage = typeof fake.outage === 'function' ? fake.outage() : fake.outage
    await fake.hold?.(path, 'before')
    // The caller has died meanwhile, so Stripe never got the request.
    if (response.destroyed) return
    if (outage === 'down') return send(500, failure('api_error', 'An error occurred.'))
    if (request.headers.authorization !== `Bearer ${stripeSecrets.stripeSecretKey}`) {
      return send(401, failure('invalid_request_error', 'Invalid API key.'))
    }
    if (request.headers['stripe-version'] !== apiVersion) {
      return send(400, failure('invalid_request_error', 'The objects of this fake have another version.'))
    }
    const key = request.headers['idempotency-key']
    const stored = typeof key === 'string' ? responses.get(key) : undefined
    const seen = `${path} ${text}`
    if (stored && stored.request !== seen)
      return send(400, failure('idempotency_error', 'The key was used differently.'))
    const [status, body] = stored
      ? [stored.status, stored.body]
      : handle(request.method ?? '', path, request.method === 'GET' ? searchParams : new URLSearchParams(text))
    // A snapshot: a repeated request gets the same response, even if the object has changed since.
    if (typeof key === 'string') responses.set(key, { request: seen, status, body: structuredClone(body) })
    const snapshot = structuredClone(body)
    await fake.hold?.(path, 'after')
    if (outage === 'losesResponses') return void response.destroy()
    send(status, snapshot)
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  const listen = async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  return Object.assign(fake, { listen })
}

export async function startFakeStripe(): Promise<FakeStripe> {
  const stripe = createFakeStripe()
  await stripe.listen()
  return stripe
}

/** A fake of Stripe for the tests of a file, which has its address while they run. */
export function useFakeStripe(): FakeStripe {
  const stripe = createFakeStripe()
  beforeAll(() => stripe.listen())
  afterAll(() => stripe.close())
  return stripe
}

/** A webhook as Stripe sends it. @param timestamp of the signature, in seconds since the epoch */
export function signed(
  type: string,
  object: object,
  { version = apiVersion, timestamp }: { version?: string; timestamp?: number } = {},
): SignedWebhook {
  const payload = JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    api_version: version,
    type,
    data: { object },
  })
  const header = StripeClient.webhooks.generateTestHeaderString({
    payload,
    secret: stripeSecrets.stripeWebhookSecret,
    ...(timestamp !== undefined && { timestamp }),
  })
  return { headers: { 'stripe-signature': header }, body: Buffer.from(payload) }
}

function failure(type: string, message: string): object {
  return { error: { type, message } }
}

function metadataIn(form: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([key, value]) => {
      const name = /^metadata\[(\w+)\]$/.exec(key)?.[1]
      return name === undefined ? [] : [[name, value]]
    }),
  )
}

export interface FakeStripe {
  /** A function decides about each request. */
  outage: StripeOutage | (() => StripeOutage)
  /** Delays requests before or after Stripe acts on them. */
  hold?: ((path: string, when: 'before' | 'after') => Promise<void>) | undefined
  /** The status of new refunds. */
  refundStatus: 'succeeded' | 'pending'
  rejectsRefunds: boolean
  /** Whether a new payment method of a subscription is rejected. */
  rejectMethods(isRejected: boolean): void
  /** The time at which subscriptions start. */
  now: () => Date
  url: string
  sessions(): FakeSession[]
  intents(): FakeIntent[]
  refunds(): FakeRefund[]
  sessionOf(paymentId: string): FakeSession
  /** The shopper pays; `unpaid`: with a delayed method. @returns the webhook */
  pay(paymentId: string, how?: 'paid' | 'unpaid'): SignedWebhook
  /** Another period of a subscription is paid. @returns the webhooks, in any order */
  renew(subscriptionId: string): { invoice: FakeInvoice; webhooks: SignedWebhook[] }
  failRenewal(subscriptionId: string): SignedWebhook[]
  endSubscription(subscriptionId: string, reason: 'cancellation_requested' | 'payment_failed'): SignedWebhook
  /** The paid invoices of a subscription, oldest first. */
  invoices(subscriptionId: string): FakeInvoice[]
  changed(subscriptionId: string): SignedWebhook
  subscription(subscriptionId: string): FakeSubscription
  /** The customer enters another payment method on Stripe's page. */
  enterMethod(sessionUrl: string): SignedWebhook
  /** The money of a delayed method arrives, or does not. */
  finishDelayed(paymentId: string, hasSucceeded: boolean): SignedWebhook
  expire(paymentId: string): SignedWebhook
  dispute(paymentId: string, status: Stripe.Dispute['status']): SignedWebhook
  /** The payer of a renewal disputes it. */
  disputeInvoice(invoice: FakeInvoice, status: 'needs_response' | 'won' | 'lost'): SignedWebhook
  endRefund(refundId: string, status: 'succeeded' | 'failed'): SignedWebhook
  /** The store refunds on Stripe's own pages. @returns the webhooks, in their order */
  refundOnDashboard(paymentId: string, amount: number): { created: SignedWebhook; updated: SignedWebhook }
  close(): Promise<void>
}

export interface SignedWebhook {
  headers: Record<string, string>
  body: Buffer
}

type SessionFields = 'id' | 'object' | 'amount_total' | 'currency' | 'client_reference_id' | 'customer_email' | 'mode'
type FakeSession = Pick<Stripe.Checkout.Session, SessionFields | 'payment_status' | 'status' | 'url' | 'expires_at'> & {
  metadata: Record<string, string>
  payment_intent: string | null
  subscription: string | null
  invoice: string | null
  setup_intent: string | null
}

type FakeIntent = Pick<Stripe.PaymentIntent, 'id' | 'object' | 'status'> & { metadata: Record<string, string> }

type FakeRefund = Pick<Stripe.Refund, 'id' | 'object' | 'amount' | 'currency' | 'status'> & {
  payment_intent: string
  metadata: Record<string, string>
  failure_reason?: string
}
