import { endpoint } from '../../http/endpoint.ts'
import { cartDto, cartDtoSchema, cartExample } from './cart-dto.ts'
import { cartLimits } from './cart-limits.ts'
import { storefrontHeaders } from './storefront-headers.ts'

export const getCart = endpoint({
  operationId: 'getCart',
  tag: 'Storefront',
  summary: 'Get the cart of the signed-in customer',
  description:
    'Returns each line with its current price, and why it cannot be bought. A customer has one cart in each store, on all devices. ' +
    'Carts belong to customers: keep the cart of an anonymous shopper in the browser, and set it here after the sign-in. A cart is ' +
    'deleted 90 days after its last change.',
  method: 'get',
  path: '/v1/store/cart',
  auth: 'customer',
  headers: storefrontHeaders,
  limits: cartLimits,
  success: { status: 200, description: 'The cart.', schema: cartDtoSchema, example: cartExample },
  async handle(ctx, { customer, storeId, call }) {
    const { cart } = await ctx.carts.getCart({ customerId: customer.id }, call)
    return { body: cartDto(ctx, storeId, cart) }
  },
})
