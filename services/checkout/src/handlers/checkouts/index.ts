import type { Handlers } from '@storekeep/common/grpc'
import type { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import type { AppContext } from '../../context.ts'
import { getCheckoutSession } from './get-checkout-session.ts'
import { listCheckoutSessions } from './list-checkout-sessions.ts'

export function createCheckoutHandlers(ctx: AppContext): CheckoutHandlers {
  const missing = () => Promise.reject(new Error('not built yet'))
  return {
    createCheckoutSession: missing,
    getCheckoutSession: getCheckoutSession(ctx),
    listCheckoutSessions: listCheckoutSessions(ctx),
    completeCheckoutSession: missing,
    cancelCheckoutSession: missing,
  }
}

export type CheckoutHandlers = Handlers<typeof CheckoutService>
