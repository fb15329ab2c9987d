import { errors } from '@storekeep/common/errors'
import type Stripe from 'stripe'
import type { PaymentSettings } from '../domain/payment-settings.ts'
import type { CreatedPayment, PaymentProvider, RefundReport } from './provider.ts'
import { paymentMetadata, readEvent, reportOfSession, statusOfRefund } from './stripe-objects.ts'

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
    async create({ id, storeId, amount, currency }, request, settings): Promise<CreatedPayment> {
      const stripe = await connect(settings)
      const metadata = { [paymentMetadata]: id, storekeep_store_id: storeId }
      const price = { currency, unit_amount: Number(amount), product_data: { name: request.description } }
      const created = await attempt(() =>
        stripe.checkout.sessions.create(
          {
            mode: 'payment',
            client_reference_id: id,
            line_items: [{ quantity: 1, price_data: price }],
            success_url: request.successUrl,
            cancel_url: request.cancelUrl,
            ...(request.email !== null && { customer_email: request.email }),
            expires_at: Math.floor(Date.parse(request.expiresAt) / 1000),
            metadata,
            payment_intent_data: { metadata },
          },
          { idempotencyKey: `storekeep-payment-${id}` },
        ),
      )
      if ('rejected' in created) return { report: { status: 'failed', failureReason: created.rejected } }
      const { done: session } = created
      return {
        report: reportOfSession(session),
        providerSession: session.id,
        ...(session.url !== null && { redirectUrl: session.url }),
      }
    },
    async read({ providerSession }, settings) {
      if (providerSession === null) return undefined
      const stripe = await connect(settings)
      const found = await attempt(() =>
        stripe.checkout.sessions.retrieve(providerSession, { expand: ['payment_intent'] }),
      )
      return 'done' in found ? reportOfSession(found.done) : undefined
    },
    async readWebhook({ headers, body }, settings) {
      const stripe = await connect(settings)
      if (settings.stripeWebhookSecret === null) throw errors.unavailable(new Error('the store has no webhook secret'))
      const event = verify(stripe, body, headers['stripe-signature'] ?? '', settings.stripeWebhookSecret)
      return await readEvent(event, async (id) => {
        const found = await attempt(() => stripe.paymentIntents.retrieve(id))
        return 'done' in found ? found.done.metadata : {}
      })
    },
    async refund({ id, amount, providerReference, paymentReference }, settings): Promise<RefundReport> {
      const stripe = await connect(settings)
      if (paymentReference === null) throw new Error('a payment of Stripe has no reference')
      const made = await attempt(() =>
        providerReference === null
          ? stripe.refunds.create(
              { payment_intent: paymentReference, amount: Number(amount), metadata: { storekeep_refund_id: id } },
              { idempotencyKey: `storekeep-refund-${id}` },
            )
          : stripe.refunds.retrieve(providerReference),
      )
      if ('rejected' in made) return { status: 'failed', failureReason: made.rejected }
      return statusOfRefund(made.done)
    },
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

/**
 * Calls Stripe.
 * @returns `rejected` with the reason if repeating the request cannot succeed
 * @throws ServiceFault `service-unavailable` for everything that can be repaired, without the text of Stripe's error, which
 * can quote the request
 */
async function attempt<T>(call: () => Promise<T>): Promise<{ done: T } | { rejected: string }> {
  try {
    return { done: await call() }
  } catch (error) {
    const { type, message, code } = error as Partial<Stripe.errors.StripeError>
    const isRejected = type === 'StripeInvalidRequestError' || type === 'StripeCardError'
    if (isRejected) return { rejected: message ?? 'rejected by Stripe' }
    throw errors.unavailable(new Error(`Stripe failed: ${type ?? 'no response'} ${code ?? ''}`.trim()))
  }
}

/** Shorter than the deadline of a call; the task retries what takes longer. */
const clientOptions = { timeout: 2200, maxNetworkRetries: 0, telemetry: false } as const

function addressOf(baseUrl: string) {
  const { protocol, hostname, port } = new URL(baseUrl)
  const isPlain = protocol === 'http:'
  return { host: hostname, port: port || (isPlain ? 80 : 443), protocol: isPlain ? 'http' : 'https' } as const
}
