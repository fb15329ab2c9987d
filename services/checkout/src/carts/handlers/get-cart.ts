import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, CartHandlers } from '../../context.ts'
import { findCart } from '../db/cart-repository.ts'
import { cartToProto } from '../mappers.ts'
import { priceCart } from '../steps/price-cart.ts'

export function getCart(ctx: AppContext): CartHandlers['getCart'] {
  return async (request, call) => {
    const customerId = requireFlakeId('customer_id', request.customerId)
    const cart = await findCart(ctx.database, requireStore(call), customerId)
    return { cart: cartToProto(await priceCart(ctx, call, customerId, cart ?? { lines: [], updatedAt: null })) }
  }
}
