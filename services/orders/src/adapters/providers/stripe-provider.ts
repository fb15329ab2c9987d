import { systemClock } from '@storekeep/common/clock'
import { errors } from '@storekeep/common/errors'
import type { Logger } from '@storekeep/common/log'
import type Stripe from 'stripe'
import type { Payment } from '../../payments/domain/payment.ts'
import type { CreatedPayment, PaymentProvider, Webhook } from './provider.ts'
import { toStripeAmount } from './stripe-amounts.ts'
import { attempt, readerOf } from './stripe-calls.ts'
import {
  isUnknownShape,
  paymentMetadata,
  readEvent,
  referenceOfSession,
  reportOfSession,
  statusOfRefund,
} from './stripe-objects.ts'
import { renewalItems } from './stripe-renewal.ts'
import { createStripeSubscriptions } from './stripe-subscriptions.ts'

/**
 * The version of Stripe's API that every request names, regardless of the account's default. A new version is adopted
 * with the package whose types describe it; the README names it for the webhook.
 */
export const apiVersion = '2026-10-28.endive' satisfies Stripe.StripeConfig['apiVersion']

/** The credentials of a store, each of which is decrypted when a call needs it. Null means none. */
export interface StripeCredentials {
  secretKey: (() => string) | null
  webhookSecret: (() => string) | null
}

/**
 * Payments on the pages of Stripe Checkout. Card data never reaches Storekeep.
 * @param baseUrl of the Stripe API
 */
export function createStripeProvider(
  { baseUrl, log }: { baseUrl: string; log: Logger },
  { secretKey, webhookSecret }: StripeCredentials,
): PaymentProvider {
  /** Loaded on first use, because most of the package's memory is only needed by stores that use Stripe. */
  const connect = async (): Promise<Stripe> => {
    if (secretKey === null) throw errors.unavailable(new Error('the store has no secret key of Stripe'))
    const key = opened(secretKey)
    const { default: StripeClient } = await import('stripe')
    return new StripeClient(key, { ...addressOf(baseUrl), ...clientOptions })
  }
  return {
    async create(payment, request): Promise<CreatedPayment> {
      const stripe = await connect()
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
    async read({ providerSession }) {
      if (providerSession === null) return undefined
      const stripe = await connect()
      const found = await attempt(() =>
        stripe.checkout.sessions.retrieve(providerSession, { expand: ['payment_intent', 'subscription'] }),
      )
      return 'done' in found ? await reportOfSession(found.done, readerOf(stripe)) : undefined
    },
    async close({ providerSession }) {
      if (providerSession === null) return
      const stripe = await connect()
      // Stripe rejects this for a session that is complete or has expired.
      await attempt(() => stripe.checkout.sessions.expire(providerSession))
    },
    ...(webhookSecret !== null && {
      async readWebhook({ headers, body }: Webhook) {
        const stripe = await connect()
        const event = verify(stripe, body, headers['stripe-signature'] ?? '', opened(webhookSecret))
        if (isUnknownShape(event)) {
          const fields = { event_type: event.type, api_version: event.api_version, wanted_api_version: apiVersion }
          log.warn(fields, 'stripe webhook rejected: unknown API version, recreate the webhook')
          throw errors.badRequest(`The API version of the webhook is not understood. Use ${apiVersion}.`)
        }
        return await readEvent(event, readerOf(stripe))
      },
    }),
    async refund(payment, { id, amount, providerReference }) {
      const stripe = await connect()
      const paymentReference = payment.providerReference ?? (await referenceOf(stripe, payment))
      if (paymentReference === undefined) return { status: 'failed', failureReason: unnamed }
      const made = await attempt(() =>
        providerReference === null
          ? stripe.refunds.create(
              {
                payment_intent: paymentReference,
                amount: toStripeAmount(amount, payment.currency),
                metadata: { storekeep_refund_id: id },
              },
              { idempotencyKey: `storekeep-refund-${id}` },
            )
          : stripe.refunds.retrieve(providerReference),
      )
      if ('rejected' in made) return { status: 'failed', failureReason: made.rejected, paymentReference }
      return { ...statusOfRefund(made.done), paymentReference }
    },
    subscriptions: createStripeSubscriptions(connect),
  }
}

/** The payment intent of a payment that was reported as paid without one; undefined if Stripe still names none. */
async function referenceOf(stripe: Stripe, { providerSession, renewalOf }: Payment): Promise<string | undefined> {
  if (providerSession === null) return undefined
  const { paymentOf } = readerOf(stripe)
  if (renewalOf !== null) return await paymentOf(providerSession)
  const found = await attempt(() => stripe.checkout.sessions.retrieve(providerSession))
  return 'done' in found ? await referenceOfSession(found.done, paymentOf) : undefined
}

/** @throws ServiceFault `service-unavailable` if the secret cannot be decrypted: the operator can add the missing key */
function opened(secret: () => string): string {
  try {
    return secret()
  } catch (error) {
    throw errors.unavailable(error)
  }
}

/**
 * @throws ServiceFault `bad-request` if the signature is missing, wrong, or more than five minutes from now. The package only
 * rejects old ones, so a signature dated far in the future could be replayed until then.
 */
function verify(stripe: Stripe, body: Buffer, signature: string, secret: string): Stripe.Event {
  try {
    const event = stripe.webhooks.constructEvent(body, signature, secret, toleranceSeconds)
    const latest = systemClock.now().getTime() / 1000 + toleranceSeconds
    if (timesOf(signature).every((seconds) => seconds <= latest)) return event
  } catch {
    // The reason is not disclosed.
  }
  throw errors.badRequest('The signature of the webhook is invalid.')
}

/** The times of a signature header: `t=1764000000,v1=…`. */
function timesOf(signature: string): number[] {
  return signature.split(',').flatMap((part) => (part.startsWith('t=') ? [Number(part.slice(2))] : []))
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
const clientOptions = { apiVersion, timeout: 2200, maxNetworkRetries: 0, telemetry: false } as const

/** Of the time of a webhook's signature, before and after now. */
const toleranceSeconds = 300

function addressOf(baseUrl: string) {
  const { protocol, hostname, port } = new URL(baseUrl)
  const isPlain = protocol === 'http:'
  return { host: hostname, port: port || (isPlain ? 80 : 443), protocol: isPlain ? 'http' : 'https' } as const
}
