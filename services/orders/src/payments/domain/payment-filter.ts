import { errors, type Violation, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { parseEmailAddress } from '@storekeep/proto/conventions/email-address'
import { type PaymentStatus, paymentStatuses } from './payment.ts'

/** Which payments are listed. An absent field does not restrict the list. */
export interface PaymentFilter {
  checkoutId: string | undefined
  status: PaymentStatus | undefined
  customerId: string | undefined
  /** Normalized by `parseEmailAddress`. */
  email: string | undefined
}

/** A filter as requested; `invalid` is an unknown status. */
export interface PaymentFilterInput extends Omit<PaymentFilter, 'status'> {
  status: PaymentStatus | 'invalid' | undefined
}

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function checkPaymentFilter({ checkoutId, status, customerId, email }: PaymentFilterInput): PaymentFilter {
  const violations: Violation[] = []
  for (const [path, id] of Object.entries({ checkout_id: checkoutId, customer_id: customerId })) {
    if (id !== undefined && !isFlakeId(id)) violations.push(violation(path, 'format', 'must be an id'))
  }
  if (status === 'invalid') {
    violations.push(violation('status', 'enum', `must be one of ${paymentStatuses.join(', ')}`))
  }
  const parsed = email === undefined ? undefined : parseEmailAddress(email)
  if (email !== undefined && parsed === undefined) {
    violations.push(violation('billing_email', 'format', 'must be an e-mail address'))
  }
  if (violations.length > 0) throw errors.validationFailed(violations)
  return { checkoutId, status: status === 'invalid' ? undefined : status, customerId, email: parsed }
}
