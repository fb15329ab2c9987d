import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, CustomersHandlers } from '../context.ts'
import { createCustomerFinder } from '../db/customer-repository.ts'
import { profileOf } from '../domain/customer.ts'

export function getCustomerName(ctx: AppContext): CustomersHandlers['getCustomerName'] {
  const findCustomer = createCustomerFinder(ctx.database)
  return async (request, call) => {
    const row = await findCustomer(requireStore(call), requireFlakeId('customer_id', request.customerId))
    if (!row) throw errors.notFound('customer')
    return { name: profileOf(row).name }
  }
}
