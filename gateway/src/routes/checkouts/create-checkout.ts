import { endpoint } from '../../http/endpoint.ts'
import { storefrontHeaders } from '../storefront/storefront-headers.ts'
import { checkoutSessionMessage } from './checkout-input.ts'
import { createdSession, createdSessionExample, createdSessionSchema } from './created-session.ts'
import { ownCheckout, ownCheckoutLimits } from './own-checkout.ts'

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
  limits: ownCheckoutLimits,
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
