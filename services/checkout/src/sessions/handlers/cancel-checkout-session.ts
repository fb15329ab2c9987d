import { requireFlakeId } from '@storekeep/common/flake'
import { write } from '@storekeep/common/write'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { cancelOpenSession } from '../steps/end-session.ts'

export function cancelCheckoutSession(ctx: AppContext): CheckoutHandlers['cancelCheckoutSession'] {
  return async (request, call) => {
    const id = requireFlakeId('checkout_id', request.checkoutId)
    return write(ctx, call, request, (tx) => cancelOpenSession(ctx, tx, call, id))
  }
}
