import { errors } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { addressGroup } from '@storekeep/common/http'
import { PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import { enforceLimit } from '../http/limits.ts'
import type { Handler } from '../http/route.ts'

/**
 * Passes a webhook of Stripe on, byte for byte: its signature covers the bytes, and the orders service verifies it. An error makes
 * Stripe send the webhook again.
 *
 * Anyone can send to this address, so nothing of the body is read before its store is known to receive webhooks. Stripe sends the
 * webhooks of all stores from a few addresses, which therefore share a high limit.
 */
export const receiveWebhook: Handler = async (ctx, request) => {
  const { storeId = '' } = request.params
  const { webhookAddressPerMinute, webhookStorePerMinute } = ctx.config.limits
  const address = addressGroup(request.address)
  enforceLimit(ctx, 'webhook-address', address, webhookAddressPerMinute)
  if (!isFlakeId(storeId)) throw errors.notFound('store')
  const signature = request.req.headers['stripe-signature']
  if (typeof signature !== 'string') throw errors.badRequest('The header Stripe-Signature is missing.')
  const provider = PaymentProvider.STRIPE
  await ctx.payments.checkWebhookReceiver({ provider }, request.call(storeId))
  // Per address, so that other clients cannot use up the quota of Stripe: store ids are public.
  enforceLimit(ctx, 'webhook-store', `${storeId} ${address}`, webhookStorePerMinute)
  const body = await request.bytes(maxWebhookBytes)
  await ctx.payments.handleWebhook(
    { provider, headers: { 'stripe-signature': signature }, body },
    request.call(storeId),
  )
  return { status: 200 }
}

/** Most events of Stripe have less than 10 KiB. */
const maxWebhookBytes = 64 * 1024
