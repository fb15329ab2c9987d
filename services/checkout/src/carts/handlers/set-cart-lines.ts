import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, CartHandlers } from '../../context.ts'
import { writeCart } from '../db/cart-repository.ts'
import { checkCartLines } from '../domain/cart.ts'
import { cartLineFromProto, cartToProto } from '../mappers.ts'
import { priceCart } from '../steps/price-cart.ts'

/** A repeated call writes the same lines, so it needs no `write`. Carts have no events. */
export function setCartLines(ctx: AppContext): CartHandlers['setCartLines'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const customerId = requireFlakeId('customer_id', request.customerId)
    const lines = request.lines.map(cartLineFromProto)
    checkCartLines(customerId, lines)
    const cart = { lines, updatedAt: ctx.clock.now() }
    // Priced first, so that a cart that costs too much is not stored.
    const priced = await priceCart(ctx, call, customerId, cart)
    await writeCart(ctx.database, { storeId, customerId }, cart)
    return { cart: cartToProto(priced) }
  }
}
