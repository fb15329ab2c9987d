import { checkoutLimits } from '@storekeep/proto/conventions/limits'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { cartLineMessage } from '../checkouts/checkout-line.ts'
import { ownLine } from '../checkouts/own-checkout.ts'
import { cartDto, cartDtoSchema, cartExample } from './cart-dto.ts'
import { cartLimits } from './cart-limits.ts'
import { storefrontHeaders } from './storefront-headers.ts'

export const setCartLines = endpoint({
  operationId: 'setCartLines',
  tag: 'Storefront',
  summary: 'Update the lines of the cart',
  description:
    'Replaces all lines of the cart of the signed-in customer. A line that cannot be bought now is kept and has a `problem` in the ' +
    'response. Repeating the request changes nothing.',
  method: 'put',
  path: '/v1/store/cart/lines',
  auth: 'customer',
  headers: storefrontHeaders,
  body: z
    .object({
      lines: z.array(ownLine).max(checkoutLimits.lines).describe(`Up to ${checkoutLimits.lines} lines.`),
    })
    .meta({ id: 'SetCartLinesDto', description: 'The new lines of a cart.' }),
  bodyExample: { lines: [{ product_id: '411486491630370832', quantity: 2, custom_variables: { color: 'red' } }] },
  bodyLimitBytes: 64 * 1024,
  limits: cartLimits,
  success: {
    status: 200,
    description: 'The cart with its current prices.',
    schema: cartDtoSchema,
    example: cartExample,
  },
  async handle(ctx, { body, customer, storeId, call }) {
    const lines = body.lines.map(cartLineMessage)
    const { cart } = await ctx.carts.setCartLines({ customerId: customer.id, lines }, call)
    return { body: cartDto(ctx, storeId, cart) }
  },
})
