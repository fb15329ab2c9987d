import type { ConsumerParts } from '@storekeep/common/events'
import type { AppContext } from '../../context.ts'
import { onCustomerChanged, onCustomerDeleted } from './on-customer-changed.ts'
import { onProductChanged } from './on-product-changed.ts'
import { onStoreChanged } from './on-store-changed.ts'

/** The events of the records that this service keeps copies of. */
export function copyConsumers(ctx: AppContext): ConsumerParts[] {
  return [
    {
      name: 'delivery-customers',
      filterSubject: 'customers.customer.>',
      handlers: [onCustomerChanged(ctx), onCustomerDeleted(ctx)],
      deliver: 'newest',
    },
    // Every version of a product is kept, even if it arrives after a newer version.
    {
      name: 'delivery-products',
      filterSubject: 'checkout.product.>',
      handlers: [onProductChanged(ctx)],
      deliver: 'every',
    },
    {
      name: 'delivery-stores',
      filterSubject: 'stores.store.>',
      handlers: [onStoreChanged(ctx)],
      deliver: 'newest',
    },
  ]
}
