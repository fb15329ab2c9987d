import type { ConsumerParts } from '@storekeep/common/events'
import type { AppContext } from '../context.ts'
import { onOrderChargedBack } from './on-order-charged-back.ts'

/** The events that this service consumes. */
export function consumers(ctx: AppContext): ConsumerParts[] {
  return [
    {
      name: 'bans-chargebacks',
      filterSubject: 'orders.order.>',
      handlers: [onOrderChargedBack(ctx)],
      deliver: 'every',
    },
  ]
}
