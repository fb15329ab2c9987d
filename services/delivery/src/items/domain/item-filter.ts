import { checkListFilter } from '@storekeep/common/values'

/** Which items a list has: all given conditions must match. */
export interface ItemFilter {
  activeOnly: boolean
  orderId: string | undefined
  customerId: string | undefined
  subscriptionId?: string | undefined
  /** Items with a command for this server. */
  gameServerId?: string | undefined
}

/** @throws ServiceFault `validation-failed` naming every malformed id */
export function checkItemFilter(filter: ItemFilter): ItemFilter {
  const { orderId, customerId, subscriptionId, gameServerId } = filter
  checkListFilter([], undefined, {
    order_id: orderId,
    customer_id: customerId,
    subscription_id: subscriptionId,
    game_server_id: gameServerId,
  })
  return filter
}
