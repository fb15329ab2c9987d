import type { Order } from '@storekeep/proto/orders/v1/order'
import type { Subscription } from '@storekeep/proto/orders/v1/subscription'
import type { Store } from '@storekeep/proto/stores/v1/store'
import type { Email } from '../../domain/email.ts'
import type { PortalLink } from '../records.ts'

/** What an email is written from. */
export interface EmailFacts {
  email: Pick<Email, 'kind' | 'customerId' | 'refundAmount'>
  store: Store
  /** For an email about a subscription, its newest order. */
  order: Order
  subscription: Subscription | undefined
  /** The names of the customers that the email mentions, by id. */
  names: ReadonlyMap<string, string>
  /** The address of the recipient. */
  address: string
  /** A BCP 47 tag. */
  locale: string
  portalLink: PortalLink | undefined
}
