import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, CartHandlers } from '../../context.ts'
import { deleteCart } from '../db/cart-repository.ts'

export function clearCart(ctx: AppContext): CartHandlers['clearCart'] {
  return async (request, call) => {
    await deleteCart(ctx.database, requireStore(call), requireFlakeId('customer_id', request.customerId))
    return {}
  }
}
