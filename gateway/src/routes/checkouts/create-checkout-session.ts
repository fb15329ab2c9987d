import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { storefrontHeaders } from '../storefront/storefront-headers.ts'
import { checkoutSessionMessage, newCheckoutSession, newCheckoutSessionExample } from './checkout-input.ts'
import { createdSession, createdSessionExample, createdSessionSchema } from './created-session.ts'

export const createCheckoutSession = endpoint({
  operationId: 'createCheckoutSession',
  tag: 'Checkouts',
  summary: 'Create a checkout session',
  description:
    'Prices the lines, reserves the coupon and returns the URL where the customer pays within 24 hours. An error about a ' +
    'coupon or code has an item code with the reason, such as `coupon-expired` or `coupon-exhausted`. A product that the ' +
    'customer cannot have is named with `product-out-of-stock`, `product-customer-limit`, `required-product-missing` or ' +
    '`product-already-owned`. The session reserves the stock of its products until it ends. The customer and the products must ' +
    'exist in the store: replace the ids in the example with your own.',
  method: 'post',
  path: '/v1/stores/{storeId}/checkouts',
  auth: 'api-key',
  scope: 'checkouts:write',
  headers: z.object({
    'x-service-customer-ip': storefrontHeaders.shape['x-service-customer-ip'].meta({
      description: 'IPv4 or IPv6 address of the customer. Also checked against the bans of the store.',
    }),
    'x-service-customer-countrycode': storefrontHeaders.shape['x-service-customer-countrycode'].meta({
      description:
        "Country of the customer's IP address: ISO 3166-1 alpha-2. Determines the tax until the customer has chosen a billing country.",
    }),
  }),
  body: newCheckoutSession,
  bodyExample: newCheckoutSessionExample,
  success: {
    status: 200,
    description: 'The created session. Its token and URL are secrets and are not returned again.',
    schema: createdSessionSchema,
    example: createdSessionExample,
  },
  errors: ['customer-banned'],
  async handle({ checkout }, { body, headers, call }) {
    const customerIp = headers['x-service-customer-ip']
    const customerCountry = headers['x-service-customer-countrycode']
    const request = {
      ...checkoutSessionMessage(body),
      ...(customerIp !== undefined && { customerIp }),
      ...(customerCountry !== undefined && { customerCountry }),
    }
    return { body: createdSession(await checkout.createCheckoutSession(request, call)) }
  },
})
