import { type DeliveryItemDto, deliveryItemExample } from '@storekeep/records/delivery/delivery-item-dto'
import { actorExample } from '@storekeep/records/schemas/actor'

/** An item that was handed out without an order. */
export const grantedItemExample: DeliveryItemDto = {
  ...deliveryItemExample,
  order_customer_id: null,
  order_customer: null,
  checkout_id: null,
  order_id: null,
  order_line: null,
  added_by: actorExample,
}
