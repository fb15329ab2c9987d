import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { createCustomerFinder } from '../db/customer-repository.ts'
import { customerToProto } from '../mappers.ts'

export function getCustomer(ctx: AppContext): CustomersHandlers['getCustomer'] {
  const findCustomer = createCustomerFinder(ctx.database)
  return async (request, call) => {
    const storeId = requireStore(call)
    const row = await findCustomer(storeId, requireFlakeId('customer_id', request.customerId))
    if (!row) throw errors.notFound('customer')
    return { customer: customerToProto(row) }
  }
}
