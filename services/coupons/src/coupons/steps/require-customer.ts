import { errors, violation } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import type { AppContext } from '../../context.ts'

/**
 * Asserts that the customer a coupon is restricted to exists; null is no restriction. Do not call within a transaction.
 * @throws ServiceFault `validation-failed`, `service-unavailable`
 */
export async function requireCustomer({ customers }: AppContext, call: Call, customerId: string | null): Promise<void> {
  if (customerId === null || (await customers.exists(customerId, call))) return
  throw errors.validationFailed([violation('usable_by_customer_id', 'reference', 'is not a customer of this store')])
}
