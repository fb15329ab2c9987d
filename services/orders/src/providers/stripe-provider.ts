import { errors } from '@storekeep/common/errors'
import type Stripe from 'stripe'
import type { Payment } from '../domain/payment.ts'
import type { PaymentSettings } from '../domain/payment-settings.ts'
import type { CreatedPayment, PaymentProvider, RefundReport } from './provider.ts'
import { toStripeAmount } from './stripe-amounts.ts'
import { attempt, readerOf } from './stripe-calls.ts'
import { paymentMetadata, readEvent, referenceOfSession, reportOfSession, statusOfRefund } from './stripe-objects.ts'
import { renewalItems } from './stripe-renewal.ts'
import { createStripeSubscriptions } from './stripe-subscriptions.ts'

/**
 * Payments on the pages of Stripe Checkout. Card data never reaches Storekeep.
 * @param baseUrl of the Stripe API
 */
export function createStripeProvider(baseUrl: string): PaymentProvider {
  /** Loaded on first use, because most of the package's memory is only needed by stores that use Stripe. */
  const connect = async ({ stripeSecretKey }: PaymentSettings): Promise<Stripe> => {
    if (stripeSecretKey === null) throw errors.unavailable(new Error('the store has no secret key of Stripe'))
    const { default: StripeClient } = await import('stripe')
    return new StripeClient(stripeSecretKey, { ...addressOf(baseUrl), ...clientOptions })
  }
  return {
    async create(payment, request, settings): Promise<CreatedPayment> {
      const stripe = await connect(settings)
      const { id, storeId } = payment
      const metadata = { [paymentMetadata]: id, storekeep_store_id: storeId }
      const mode = await modeOf(stripe, payment, request.description, metadata)
      if (mode === undefined) return { report: { status: 'failed', failureReason: inexpressible } }
      const created = await attempt(() =>
        stripe.checkout.sessions.create(
          {
            ...mode,
            client_reference_id: id,
            success_url: request.successUrl,
            cancel_url: request.cancelUrl,
            ...(request.email !== null && { customer_email: request.email }),
            expires_at: Math.floor(Date.parse(request.expiresAt) / 1000),
            metadata,
          },
          { idempotencyKey: `storekeep-payment-${id}` },
        ),
      )
      if ('rejected' in created) return { report: { status: 'failed', failureReason: created.rejected } }
      const { done: session } = created
      return {
        report: await reportOfSession(session, readerOf(stripe)),
        providerSession: session.id,
        ...(session.url !== null && { redirectUrl: session.url }),
      }
    },
    async read({ providerSession }, settings) {
      if (providerSession === null) return undefined
      const stripe = await connect(settings)
      const found = await attempt(() =>
        stripe.checkout.sessions.retrieve(providerSession, { expand: ['payment_intent', 'subscription'] }),
      )
      return 'done' in found ? await reportOfSession(found.done, readerOf(stripe)) : undefined
    },
    async close({ providerSession }, settings) {
      if (providerSession === null) return
      const stripe = await connect(settings)
      // Stripe rejects this for a session that is complete or has expired.
      await attempt(() => stripe.checkout.sessions.expire(providerSession))
    },
    async readReference({ providerSession, renewalOf }, settings) {
      if (providerSession === null) return undefined
      const stripe = await connect(settings)
      const { paymentOf } = readerOf(stripe)
      if (renewalOf !== null) return await paymentOf(providerSession)
      const found = await attempt(() => stripe.checkout.sessions.retrieve(providerSession))
      return 'done' in found ? await referenceOfSession(found.done, paymentOf) : undefined
    },
    async readWebhook({ headers, body }, settings) {
      const stripe = await connect(settings)
      if (settings.stripeWebhookSecret === null) throw errors.unavailable(new Error('the store has no webhook secret'))
      const event = verify(stripe, body, headers['stripe-signature'] ?? '', settings.stripeWebhookSecret)
      return await readEvent(event, readerOf(stripe))
    },
    async refund({ id, amount, currency, providerReference, paymentReference }, settings): Promise<RefundReport> {
      const stripe = await connect(settings)
      if (paymentReference === null) return { status: 'failed', failureReason: unnamed }
      const made = await attempt(() =>
        providerReference === null
          ? stripe.refunds.create(
              {
                payment_intent: paymentReference,
                amount: toStripeAmount(amount, currency),
                metadata: { storekeep_refund_id: id },
              },
              { idempotencyKey: `storekeep-refund-${id}` },
            )
          : stripe.refunds.retrieve(providerReference),
      )
      if ('rejected' in made) return { status: 'failed', failureReason: made.rejected }
      return statusOfRefund(made.done)
    },
    subscriptions: createStripeSubscriptions(connect),
  }
}

/** @throws ServiceFault `bad-request` if the signature is missing, wrong or older than five minutes */
function verify(stripe: Stripe, body: Buffer, signature: string, secret: string): Stripe.Event {
  try {
    return stripe.webhooks.constructEvent(body, signature, secret)
  } catch {
    throw errors.badRequest('The signature of the webhook is invalid.')
  }
}

/** A one-time price or a recurring one. */
async function modeOf(
  stripe: Stripe,
  { id, amount, currency, renewalTerms }: Payment,
  name: string,
  metadata: Stripe.MetadataParam,
): Promise<Stripe.Checkout.SessionCreateParams | undefined> {
  if (renewalTerms === null) {
    const price_data = { currency, unit_amount: toStripeAmount(amount, currency), product_data: { name } }
    return { mode: 'payment', line_items: [{ quantity: 1, price_data }], payment_intent_data: { metadata } }
  }
  const given = renewalItems({ amount, currency }, renewalTerms, name)
  if (given === undefined) return undefined
  const base = { mode: 'subscription', line_items: given.items, subscription_data: { metadata } } as const
  if (given.coupon === undefined) return base
  const coupon = { ...given.coupon, currency, max_redemptions: 1 }
  const created = await attempt(() => stripe.coupons.create(coupon, { idempotencyKey: `storekeep-coupon-${id}` }))
  return 'done' in created ? { ...base, discounts: [{ coupon: created.done.id }] } : undefined
}

/** Such as an invoice that the store has marked as paid. */
const unnamed = 'Stripe names no payment that can be refunded.'

const inexpressible = 'Stripe cannot renew with this coupon.'

/** Shorter than the deadline of a call; the task retries what takes longer. */
const clientOptions = { timeout: 2200, maxNetworkRetries: 0, telemetry: false } as const

function addressOf(baseUrl: string) {
  const { protocol, hostname, port } = new URL(baseUrl)
  const isPlain = protocol === 'http:'
  return { host: hostname, port: port || (isPlain ? 80 : 443), protocol: isPlain ? 'http' : 'https' } as const
}
