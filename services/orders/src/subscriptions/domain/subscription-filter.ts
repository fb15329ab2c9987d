import { checkFilter, type FilterInput } from '../../domain/list-filter.ts'
import { type SubscriptionStatus, subscriptionStatuses } from './subscription.ts'

/** Which subscriptions are listed. An absent field does not restrict the list. */
export interface SubscriptionFilter {
  status: SubscriptionStatus | undefined
  customerId: string | undefined
}

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function checkSubscriptionFilter(input: FilterInput<SubscriptionFilter>): SubscriptionFilter {
  const { status } = checkFilter(subscriptionStatuses, input, { customer_id: input.customerId })
  return { ...input, status }
}
