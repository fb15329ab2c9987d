import { checkListFilter } from '@storekeep/common/values'
import { type SessionStatus, sessionStatuses } from './checkout-session.ts'

/** Which sessions are listed. An absent field does not restrict the list. */
export interface SessionFilter {
  status: SessionStatus | undefined
  customerId: string | undefined
}

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function checkSessionFilter({ status, customerId }: FilterInput): SessionFilter {
  return { status: checkListFilter(sessionStatuses, status, { customer_id: customerId }), customerId }
}

/** A filter as requested; "invalid" is an unknown status. */
export interface FilterInput {
  status: SessionStatus | 'invalid' | undefined
  customerId: string | undefined
}
