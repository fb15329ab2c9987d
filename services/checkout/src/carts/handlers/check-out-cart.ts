import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { findStoredResponse, write } from '@storekeep/common/write'
import type { AppContext, CartHandlers } from '../../context.ts'
import { createSession } from '../../sessions/steps/create-session.ts'
import { findCart } from '../db/cart-repository.ts'
import { orderOfCart } from '../domain/cart.ts'
import { cartOrderFromProto, keyedPart } from '../mappers.ts'

/** The bought lines leave the cart in the transaction that completes the session. */
export function checkOutCart(ctx: AppContext): CartHandlers['checkOutCart'] {
  return async (request, call) => {
    const customerId = requireFlakeId('customer_id', request.customerId)
    const keyed = keyedPart(request)
    const findStored = () => findStoredResponse(ctx, call, keyed)
    const stored = await findStored()
    if (stored) return stored
    const cart = await findCart(ctx.database, requireStore(call), customerId)
    const input = orderOfCart(customerId, cart?.lines ?? [], cartOrderFromProto(request))
    return createSession(ctx, call, input, {
      findStored,
      commit: (deps, effect) => write(deps, call, keyed, effect, { secret: true }),
    })
  }
}
