import { checkFilter, type FilterInput } from '../../domain/list-filter.ts'
import { type PaymentStatus, paymentStatuses } from './payment.ts'

/** Which payments are listed. An absent field does not restrict the list. */
export interface PaymentFilter {
  checkoutId: string | undefined
  status: PaymentStatus | undefined
  customerId: string | undefined
  /** Normalized by `parseEmailAddress`. */
  email: string | undefined
}

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function checkPaymentFilter(input: FilterInput<PaymentFilter>): PaymentFilter {
  const ids = { checkout_id: input.checkoutId, customer_id: input.customerId }
  return { ...input, ...checkFilter(paymentStatuses, input, ids) }
}
