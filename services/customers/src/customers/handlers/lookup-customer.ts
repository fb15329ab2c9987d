import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { findOldestCustomer } from '../db/customer-list-repository.ts'
import { checkLookup } from '../domain/customer-lookup.ts'
import { customerToProto } from '../mappers.ts'

export function lookupCustomer(ctx: AppContext): CustomersHandlers['lookupCustomer'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const { $typeName, $unknown, ...input } = request
    const criteria = checkLookup(input)
    const row = criteria && (await findOldestCustomer(ctx.database, storeId, criteria))
    if (!row) throw errors.notFound('customer')
    return { customer: customerToProto(row) }
  }
}
