import { addressGroup } from '@storekeep/common/http'
import { checkoutLimits } from '@storekeep/proto/conventions/limits'
import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { crossField } from '../../schemas/cross-field.ts'
import { storefrontHeaders } from '../storefront/storefront-headers.ts'
import { checkoutSessionMessage, newCheckoutSession } from './checkout-input.ts'
import { checkoutLine } from './checkout-line.ts'
import { createdSession, createdSessionExample, createdSessionSchema } from './created-session.ts'

const { quantity, subscription, trial, gift_to, gift_to_customer_id, selected_gameserver_id, custom_variables } =
  checkoutLine.shape
const { promo_codes, affiliate_code, return_url, cancel_url, auto_redirect, editable, customer_details } =
  newCheckoutSession.shape

/** What a customer may choose. Products that are not stored, their prices, and who gets the income are up to the store. */
const ownLine = z
  .object({
    product_id: flakeId.describe('Product to buy.'),
    quantity,
    subscription,
    trial,
    gift_to,
    gift_to_customer_id,
    selected_gameserver_id,
    custom_variables,
  })
  .refine(
    ({ gift_to: to, gift_to_customer_id: id }) => to == null || id == null,
    crossField('gift_to_customer_id', 'exclusive', 'cannot be combined with gift_to'),
  )
  .meta({ id: 'CreateOwnCheckoutLineDto', description: 'What to buy, how many, and for whom.' })

const ownCheckout = z
  .object({
    lines: z.array(ownLine).min(1).max(checkoutLimits.lines).describe(`1 to ${checkoutLimits.lines} lines to buy.`),
    promo_codes,
    affiliate_code,
    return_url,
    cancel_url,
    auto_redirect,
    editable,
    customer_details,
  })
  .meta({ id: 'CreateOwnCheckoutDto', description: 'A new checkout session of the signed-in customer.' })

export const createCheckout = endpoint({
  operationId: 'createCheckout',
  tag: 'Storefront',
  summary: 'Create a checkout session for the signed-in customer',
  description:
    'Prices products of the store for the customer of the token and returns the URL where the customer pays within 24 hours. Unlike your ' +
    'server, a customer cannot set prices, metadata or payout splits. Without `x-service-customer-ip`, the address of the caller is ' +
    'checked against the bans of the store.',
  method: 'post',
  path: '/v1/checkouts',
  auth: 'customer',
  headers: storefrontHeaders,
  body: ownCheckout,
  bodyExample: { lines: [{ product_id: '411486491630370832', quantity: 1 }] },
  bodyLimitBytes: 64 * 1024,
  // A session can reserve coupons and stock, and anyone can sign in with a typed name.
  limits: ({ config }, { customer, peerAddress }) => [
    {
      group: 'checkout',
      policy: 'checkout-address',
      key: addressGroup(peerAddress),
      quota: config.limits.checkoutAddressPerMinute,
    },
    {
      group: 'checkout',
      policy: 'checkout-customer',
      key: `${customer.storeId}:${customer.id}`,
      quota: config.limits.checkoutCustomerPerMinute,
    },
  ],
  success: {
    status: 200,
    description: 'The created session. Its token and URL are secrets and are not returned again.',
    schema: createdSessionSchema,
    example: createdSessionExample,
  },
  errors: ['customer-banned'],
  async handle({ checkout }, { body, headers, customer, peerAddress, call }) {
    const request = checkoutSessionMessage({ ...body, customer_id: customer.id })
    const customerIp = headers['x-service-customer-ip'] ?? peerAddress
    const customerCountry = headers['x-service-customer-countrycode']
    const given = { ...request, customerIp, ...(customerCountry !== undefined && { customerCountry }) }
    return { body: createdSession(await checkout.createCheckoutSession(given, call)) }
  },
})
