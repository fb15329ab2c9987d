import { present } from '@storekeep/common/message'
import { endpoint } from '../../http/endpoint.ts'
import { checkoutOrderMessage } from '../checkouts/checkout-input.ts'
import { createdSession, createdSessionExample, createdSessionSchema } from '../checkouts/created-session.ts'
import { cartCheckout, ownCheckoutLimits } from '../checkouts/own-checkout.ts'
import { storefrontHeaders } from './storefront-headers.ts'

export const checkOutCart = endpoint({
  operationId: 'checkOutCart',
  tag: 'Storefront',
  summary: 'Create a checkout session for the cart',
  description:
    'Prices the lines of the cart of the signed-in customer and returns the URL where the customer pays within 24 hours and can still ' +
    'change quantities. The bought lines leave the cart when the session is paid. Errors in a line have its path, such as ' +
    '`lines.0.product_id`; for an empty cart, the path is `lines`.',
  method: 'post',
  path: '/v1/store/cart/checkout',
  auth: 'customer',
  headers: storefrontHeaders,
  body: cartCheckout,
  bodyExample: { return_url: 'https://shop.example.com/thanks' },
  bodyLimitBytes: 64 * 1024,
  limits: ownCheckoutLimits,
  success: {
    status: 200,
    description: 'The created session. Its token and URL are secrets and are not returned again.',
    schema: createdSessionSchema,
    example: createdSessionExample,
  },
  errors: ['customer-banned'],
  async handle({ carts }, { body, headers, customer, peerAddress, call }) {
    const request = present({
      ...checkoutOrderMessage(body),
      customerId: customer.id,
      customerIp: headers['x-service-customer-ip'] ?? peerAddress,
      customerCountry: headers['x-service-customer-countrycode'],
    })
    return { body: createdSession(await carts.checkOutCart(request, call)) }
  },
})
