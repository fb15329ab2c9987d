import type { ConsumerParts } from '@storekeep/common/events'
import type { AppContext } from '../../context.ts'
import { onCheckoutSessionCompleted } from './on-checkout-session-completed.ts'
import { onCheckoutSessionEnded } from './on-checkout-session-ended.ts'

/** The events that this service consumes. */
export function consumers(ctx: AppContext): ConsumerParts[] {
  return [
    {
      name: 'coupons-redemptions',
      filterSubject: 'checkout.checkout_session.>',
      handlers: [onCheckoutSessionCompleted(ctx), onCheckoutSessionEnded(ctx)],
      deliver: 'every',
    },
  ]
}
