import type { ConsumerParts } from '@storekeep/common/events'
import { onItemRemoved } from './on-item-removed.ts'

/** The events that this service consumes. */
export function consumers(): ConsumerParts[] {
  return [
    {
      name: 'checkout-stock',
      filterSubject: 'delivery.delivery_item.>',
      handlers: [onItemRemoved],
      deliver: 'every',
    },
  ]
}
