import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { flakeId } from '../../schemas/fields.ts'
import { storefrontHeaders } from '../storefront/storefront-headers.ts'
import { checkoutSessionMessage, newCheckoutSession, newCheckoutSessionExample } from './checkout-input.ts'

export const createCheckoutSession = endpoint({
  operationId: 'Checkouts_CreateCheckoutSession',
  tag: 'Checkouts',
  summary: 'Check a customer out',
  description:
    'Prices the lines, takes a slot of the coupon and answers where the customer pays, for 24 hours. The item of an ' +
    'error about a coupon or a code names the reason: `coupon-expired`, `coupon-exhausted` and so on. The customer and ' +
    'the products that are named by id have to be in the store, so the example needs ids of yours.',
  method: 'post',
  path: '/v1/stores/{storeId}/checkouts',
  auth: 'api-key',
  scope: 'checkouts:write',
  headers: z.object({
    'x-service-customer-ip': storefrontHeaders.shape['x-service-customer-ip'].meta({
      description: 'Address of the customer. Also looked up among the bans.',
    }),
  }),
  body: newCheckoutSession,
  bodyExample: newCheckoutSessionExample,
  success: {
    status: 200,
    description: 'The session. Its token and address are secrets, and they are not shown again.',
    schema: z
      .object({ id: flakeId, token: z.string(), url: z.string() })
      .meta({ id: 'CreateCheckoutSessionResponseDto' }),
    example: {
      id: '411486491630370840',
      token: 'abcdefghijklmnopqrstuvwxyz23',
      url: 'https://checkout.example.com/?t=abcdefghijklmnopqrstuvwxyz23',
    },
  },
  errors: ['customer-banned'],
  async handle({ checkout }, { body, headers, call }) {
    const customerIp = headers['x-service-customer-ip']
    const request = { ...checkoutSessionMessage(body), ...(customerIp !== undefined && { customerIp }) }
    const { session, token, url } = await checkout.createCheckoutSession(request, call)
    if (!session) throw new Error('A service answered without the checkout session.')
    return { body: { id: session.id, token, url } }
  },
})
