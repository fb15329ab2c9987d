import { findStoredResponse, write } from '@storekeep/common/write'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { checkoutFromProto, keyedPart } from '../mappers.ts'
import { createSession } from '../steps/create-session.ts'

export function createCheckoutSession(ctx: AppContext): CheckoutHandlers['createCheckoutSession'] {
  return async (request, call) => {
    const keyed = keyedPart(request)
    const findStored = () => findStoredResponse(ctx, call, keyed)
    const stored = await findStored()
    if (stored) return stored
    return createSession(ctx, call, checkoutFromProto(request), {
      findStored,
      commit: (deps, effect) => write(deps, call, keyed, effect, { secret: true }),
    })
  }
}
