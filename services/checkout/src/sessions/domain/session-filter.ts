import { errors, type Violation, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { type SessionStatus, sessionStatuses } from './checkout-session.ts'

/** Which sessions are listed. An absent field does not restrict the list. */
export interface SessionFilter {
  status: SessionStatus | undefined
  customerId: string | undefined
}

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function checkFilter({ status, customerId }: FilterInput): SessionFilter {
  const violations: Violation[] = []
  if (status === 'invalid') {
    violations.push(violation('status', 'enum', `must be one of ${sessionStatuses.join(', ')}`))
  }
  if (customerId !== undefined && !isFlakeId(customerId)) {
    violations.push(violation('customer_id', 'format', 'must be an id'))
  }
  if (violations.length > 0) throw errors.validationFailed(violations)
  return { status: status === 'invalid' ? undefined : status, customerId }
}

/** A filter as requested; "invalid" is an unknown status. */
export interface FilterInput {
  status: SessionStatus | 'invalid' | undefined
  customerId: string | undefined
}
