import { createHash } from 'node:crypto'
import type { Cart, CartLine, CartLineInput } from '@storekeep/proto/checkout/v1/carts_service'
import type { PagesContext } from '../context.ts'
import type { PageRequest } from '../http/route.ts'
import type { Shopper } from './load-store.ts'

/** The cart of a shopper, in the store of the request. */
export async function loadCart(ctx: PagesContext, request: PageRequest, { customer }: Shopper): Promise<Cart> {
  const { cart } = await ctx.carts.getCart({ customerId: customer.id }, request.callOptions())
  if (!cart) throw new Error('GetCart returned no cart')
  return cart
}

/** Replaces the lines. @throws ServiceFault `validation-failed` with paths such as "lines.0.quantity" */
export async function saveCart(
  ctx: PagesContext,
  request: PageRequest,
  { customer }: Shopper,
  lines: readonly CartLineInput[],
): Promise<Cart> {
  const { cart } = await ctx.carts.setCartLines({ customerId: customer.id, lines: [...lines] }, request.callOptions())
  if (!cart) throw new Error('SetCartLines returned no cart')
  return cart
}

export function inputsOf({ lines }: Cart): CartLineInput[] {
  return lines.flatMap(({ input }) => input ?? [])
}

/** Identifies a line by what it buys, whatever its quantity, so that a form of an older page changes the right line or none. */
export function lineKey(line: LineChoice): string {
  const { productId, subscription = false, recipient, selectedGameserverId = '', customVariables = {} } = line
  const gift = recipient?.case === 'giftTo' ? [recipient.value.platform, recipient.value.id] : (recipient?.value ?? '')
  const answers = Object.entries(customVariables).sort(([one], [other]) => (one < other ? -1 : 1))
  const text = JSON.stringify([productId, subscription, gift, selectedGameserverId, answers])
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

type LineChoice = Pick<CartLineInput, 'productId'> &
  Partial<Pick<CartLineInput, 'subscription' | 'recipient' | 'selectedGameserverId' | 'customVariables'>>

export function findLine({ lines }: Cart, key: string): CartLine | undefined {
  return lines.find(({ input }) => input && lineKey(input) === key)
}
