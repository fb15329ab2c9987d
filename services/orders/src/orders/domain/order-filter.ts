import { checkFilter, type FilterInput } from '../../domain/list-filter.ts'
import { type OrderStatus, orderStatuses } from './order.ts'

/** Which orders are listed. An absent field does not restrict the list. */
export interface OrderFilter {
  status: OrderStatus | undefined
  customerId: string | undefined
  /** Normalized by `parseEmailAddress`. */
  email: string | undefined
  subscriptionId: string | undefined
  createdAfter: Date | undefined
  createdBefore: Date | undefined
}

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function checkOrderFilter(input: FilterInput<OrderFilter>): OrderFilter {
  const ids = { customer_id: input.customerId, subscription_id: input.subscriptionId }
  return { ...input, ...checkFilter(orderStatuses, input, ids) }
}
