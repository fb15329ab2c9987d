import { checkFilter, type FilterInput } from '../../domain/list-filter.ts'
import { type OrderStatus, orderStatuses } from './order.ts'

/** Which orders are listed. An absent field does not restrict the list. */
export interface OrderFilter {
  status: OrderStatus | undefined
  customerId: string | undefined
  /** Normalized by `parseEmailAddress`. */
  email: string | undefined
  subscriptionId: string | undefined
  /** Also the renewals of subscriptions that the session started. */
  checkoutId: string | undefined
  createdAfter: Date | undefined
  createdBefore: Date | undefined
}

/** Restricts nothing. */
export const anyOrder: OrderFilter = {
  status: undefined,
  customerId: undefined,
  email: undefined,
  subscriptionId: undefined,
  checkoutId: undefined,
  createdAfter: undefined,
  createdBefore: undefined,
}

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function checkOrderFilter(input: FilterInput<OrderFilter>): OrderFilter {
  const { customerId, subscriptionId, checkoutId } = input
  const ids = { customer_id: customerId, subscription_id: subscriptionId, checkout_id: checkoutId }
  return { ...input, ...checkFilter(orderStatuses, input, ids) }
}
