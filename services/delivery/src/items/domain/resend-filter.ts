import { errors, violation } from '@storekeep/common/errors'
import { checkListFilter } from '@storekeep/common/values'

/** Which commands of a server are sent again: all given conditions must match. */
export interface ResendFilter {
  gameServerId: string
  /** Executed, or stuck, at or after this time. */
  startsAt: Date | undefined
  /** Executed, or stuck, before this time. */
  endsAt: Date | undefined
  itemId: string | undefined
  customerId: string | undefined
  orderId: string | undefined
  productId: string | undefined
  subscriptionId: string | undefined
  /** Whether it names an item, an order or a subscription, so that it means these regardless of their state. */
  namesItems: boolean
}

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function checkResendFilter(filter: Omit<ResendFilter, 'namesItems'>): ResendFilter {
  const { startsAt, endsAt, itemId, customerId, orderId, productId, subscriptionId } = filter
  checkListFilter([], undefined, {
    inventory_item_id: itemId,
    customer_id: customerId,
    order_id: orderId,
    product_id: productId,
    subscription_id: subscriptionId,
  })
  if (startsAt && endsAt && startsAt >= endsAt) {
    throw errors.validationFailed([violation('ends_at', 'min', 'must be later than starts_at')])
  }
  return { ...filter, namesItems: [itemId, orderId, subscriptionId].some((id) => id !== undefined) }
}
