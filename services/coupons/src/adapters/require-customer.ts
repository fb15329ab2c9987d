import { errors, violation } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import type { AppContext } from '../context.ts'

/**
 * Before the transaction: the customer that a coupon is for has to exist. Null is nobody in particular.
 * @throws ServiceFault `validation-failed`; `service-unavailable` when that cannot be found out now
 */
export async function requireCustomer({ customers }: AppContext, call: Call, customerId: string | null): Promise<void> {
  if (customerId === null || (await customers.exists(customerId, call))) return
  throw errors.validationFailed([violation('usable_by_customer_id', 'reference', 'is the id of no customer')])
}
