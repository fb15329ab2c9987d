import { errors } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { addressGroup } from '@storekeep/common/http'
import { PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import { enforceLimit } from '../http/limits.ts'
import { readBytes } from '../http/read-body.ts'
import type { Handler } from '../http/route.ts'

/**
 * Passes a webhook of Stripe on, byte for byte: its signature covers the bytes, and the orders service verifies it. An error makes
 * Stripe send the webhook again.
 *
 * Anyone can send to this address, so nothing of the body is read before its store is known to receive webhooks. Stripe sends the
 * webhooks of all stores from a few addresses, which therefore share a high limit.
 */
export const receiveWebhook: Handler = async (ctx, { req, params, address, call }) => {
  const { storeId = '' } = params
  const { webhookAddressPerMinute, webhookStorePerMinute } = ctx.config.limits
  enforceLimit(ctx, 'webhook-address', addressGroup(address), webhookAddressPerMinute)
  if (!isFlakeId(storeId)) throw errors.notFound('store')
  const signature = req.headers['stripe-signature']
  if (typeof signature !== 'string') throw errors.badRequest('The header Stripe-Signature is missing.')
  const provider = PaymentProvider.STRIPE
  await ctx.payments.checkWebhookReceiver({ provider }, call(storeId))
  // Per address, so that other clients cannot use up the quota of Stripe: store ids are public.
  enforceLimit(ctx, 'webhook-store', `${storeId} ${addressGroup(address)}`, webhookStorePerMinute)
  const body = await readBytes(ctx, req, { address, limitBytes: maxWebhookBytes })
  await ctx.payments.handleWebhook({ provider, headers: { 'stripe-signature': signature }, body }, call(storeId))
  return { status: 200 }
}

/** Most events of Stripe have less than 10 KiB. */
const maxWebhookBytes = 64 * 1024
