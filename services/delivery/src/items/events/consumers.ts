import type { ConsumerParts } from '@storekeep/common/events'
import type { AppContext } from '../../context.ts'
import { onOrderChargedBack, onOrderCreated, onOrderRefunded } from './on-order-changed.ts'
import { onSubscriptionChanged } from './on-subscription-changed.ts'

/** The events that add and remove items. */
export function itemConsumers(ctx: AppContext): ConsumerParts[] {
  return [
    {
      name: 'delivery-orders',
      filterSubject: 'orders.order.>',
      handlers: [onOrderCreated(ctx), onOrderRefunded(ctx), onOrderChargedBack(ctx)],
      deliver: 'every',
    },
    {
      name: 'delivery-subscriptions',
      filterSubject: 'orders.subscription.>',
      handlers: [onSubscriptionChanged()],
      deliver: 'newest',
    },
  ]
}
