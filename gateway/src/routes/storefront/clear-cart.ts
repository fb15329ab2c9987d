import { endpoint } from '../../http/endpoint.ts'
import { storefrontHeaders } from './storefront-headers.ts'

export const clearCart = endpoint({
  operationId: 'clearCart',
  tag: 'Storefront',
  summary: 'Delete the lines of the cart',
  description: 'Removes all lines from the cart of the signed-in customer. Returns 204 even if there were none.',
  method: 'delete',
  path: '/v1/store/cart',
  auth: 'customer',
  headers: storefrontHeaders,
  success: { status: 204, description: 'The cart is empty.' },
  async handle({ carts }, { customer, call }) {
    await carts.clearCart({ customerId: customer.id }, call)
    return {}
  },
})
