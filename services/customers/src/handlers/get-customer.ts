import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext } from '../context.ts'
import { findCustomer } from '../db/customer-repository.ts'
import { checkCustomerId } from '../domain/customer-id.ts'
import { customerToProto } from '../mappers.ts'
import type { CustomersHandlers } from './index.ts'

export function getCustomer(ctx: AppContext): CustomersHandlers['getCustomer'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const row = await findCustomer(ctx.database, storeId, checkCustomerId(request.customerId))
    if (!row) throw errors.notFound('customer')
    return { customer: customerToProto(row) }
  }
}
