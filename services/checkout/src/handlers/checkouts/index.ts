import type { Handlers } from '@storekeep/common/grpc'
import type { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import type { AppContext } from '../../context.ts'
import { cancelCheckoutSession } from './cancel-checkout-session.ts'
import { completeCheckoutSession } from './complete-checkout-session.ts'
import { createCheckoutSession } from './create-checkout-session.ts'
import { getCheckoutSession } from './get-checkout-session.ts'
import { listCheckoutSessions } from './list-checkout-sessions.ts'

export function createCheckoutHandlers(ctx: AppContext): CheckoutHandlers {
  return {
    createCheckoutSession: createCheckoutSession(ctx),
    getCheckoutSession: getCheckoutSession(ctx),
    listCheckoutSessions: listCheckoutSessions(ctx),
    completeCheckoutSession: completeCheckoutSession(ctx),
    cancelCheckoutSession: cancelCheckoutSession(ctx),
  }
}

export type CheckoutHandlers = Handlers<typeof CheckoutService>
