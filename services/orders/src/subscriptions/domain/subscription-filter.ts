import { errors, type Violation, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { type SubscriptionStatus, subscriptionStatuses } from './subscription.ts'

/** Which subscriptions are listed. An absent field does not restrict the list. */
export interface SubscriptionFilter {
  status: SubscriptionStatus | undefined
  customerId: string | undefined
}

/** A filter as requested; `invalid` is an unknown status. */
export interface SubscriptionFilterInput {
  status: SubscriptionStatus | 'invalid' | undefined
  customerId: string | undefined
}

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function checkSubscriptionFilter({ status, customerId }: SubscriptionFilterInput): SubscriptionFilter {
  const violations: Violation[] = []
  if (status === 'invalid') {
    violations.push(violation('status', 'enum', `must be one of ${subscriptionStatuses.join(', ')}`))
  }
  if (customerId !== undefined && !isFlakeId(customerId)) {
    violations.push(violation('customer_id', 'format', 'must be an id'))
  }
  if (violations.length > 0) throw errors.validationFailed(violations)
  return { status: status === 'invalid' ? undefined : status, customerId }
}
