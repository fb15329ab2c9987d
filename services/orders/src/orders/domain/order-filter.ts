import { errors, type Violation, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { parseEmailAddress } from '@storekeep/proto/conventions/email-address'
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

/** A filter as requested; `invalid` is an unknown status. */
export interface OrderFilterInput extends Omit<OrderFilter, 'status'> {
  status: OrderStatus | 'invalid' | undefined
}

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function checkFilter({ status, customerId, email, subscriptionId, ...times }: OrderFilterInput): OrderFilter {
  const violations: Violation[] = []
  if (status === 'invalid') {
    violations.push(violation('status', 'enum', `must be one of ${orderStatuses.join(', ')}`))
  }
  if (customerId !== undefined && !isFlakeId(customerId)) {
    violations.push(violation('customer_id', 'format', 'must be an id'))
  }
  if (subscriptionId !== undefined && !isFlakeId(subscriptionId)) {
    violations.push(violation('subscription_id', 'format', 'must be an id'))
  }
  const parsed = email === undefined ? undefined : parseEmailAddress(email)
  if (email !== undefined && parsed === undefined) {
    violations.push(violation('billing_email', 'format', 'must be an e-mail address'))
  }
  if (violations.length > 0) throw errors.validationFailed(violations)
  return { status: status === 'invalid' ? undefined : status, customerId, email: parsed, subscriptionId, ...times }
}
