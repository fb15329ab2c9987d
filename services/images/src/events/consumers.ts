import type { ConsumerParts } from '@storekeep/common/events'
import type { AppContext } from '../context.ts'
import { onCustomerChanged, onCustomerDeleted } from './on-customer-changed.ts'
import { onProductChanged, onProductDeleted } from './on-product-changed.ts'
import { onSessionCreated } from './on-session-created.ts'
import { onStoreChanged } from './on-store-changed.ts'
import { onTagChanged, onTagDeleted } from './on-tag-changed.ts'

/** The events of the records that name images. */
export function imageConsumers(ctx: AppContext): ConsumerParts[] {
  return [
    {
      name: 'images-products',
      filterSubject: 'checkout.product.>',
      handlers: [onProductChanged(ctx), onProductDeleted(ctx)],
      deliver: 'newest',
    },
    {
      name: 'images-tags',
      filterSubject: 'checkout.tag.>',
      handlers: [onTagChanged(ctx), onTagDeleted(ctx)],
      deliver: 'newest',
    },
    {
      name: 'images-sessions',
      filterSubject: 'checkout.checkout_session.created',
      handlers: [onSessionCreated(ctx)],
      deliver: 'every',
    },
    {
      name: 'images-stores',
      filterSubject: 'stores.store.>',
      handlers: [onStoreChanged(ctx)],
      deliver: 'newest',
    },
    {
      name: 'images-customers',
      filterSubject: 'customers.customer.>',
      handlers: [onCustomerChanged(ctx), onCustomerDeleted(ctx)],
      deliver: 'newest',
    },
  ]
}
