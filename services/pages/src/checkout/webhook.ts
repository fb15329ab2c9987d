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
 */
export const receiveWebhook: Handler = async (ctx, { req, params, address, call }) => {
  const { storeId = '' } = params
  if (!isFlakeId(storeId)) throw errors.notFound('store')
  // Per address, so that other clients cannot use up the quota of Stripe: store ids are public.
  enforceLimit(ctx, 'webhook-store', `${storeId} ${addressGroup(address)}`, ctx.config.limits.webhookStorePerMinute)
  const signature = req.headers['stripe-signature']
  if (typeof signature !== 'string') throw errors.badRequest('The header Stripe-Signature is missing.')
  const body = await readBytes(req, maxWebhookBytes)
  const headers = { 'stripe-signature': signature }
  await ctx.payments.handleWebhook({ provider: PaymentProvider.STRIPE, headers, body }, call(storeId))
  return { status: 200 }
}

/** Stripe's events are far smaller. */
const maxWebhookBytes = 512 * 1024
