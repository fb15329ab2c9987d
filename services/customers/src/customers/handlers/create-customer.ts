import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { insertCustomer } from '../db/customer-repository.ts'
import { checkCustomer, newCustomer } from '../domain/customer-draft.ts'
import { publishCustomerCreated } from '../events/publish.ts'
import { customerInputFromProto, customerToProto } from '../mappers.ts'
import { conflictOnTakenIds } from '../steps/conflict-on-taken-ids.ts'

export function createCustomer(ctx: AppContext): CustomersHandlers['createCustomer'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const draft = checkCustomer(customerInputFromProto(request.customer))
    const created = write(ctx, call, request, async (tx) => {
      const id = await ctx.ids.next()
      const row = insertCustomer(tx, { ...newCustomer(draft), id, storeId, createdAt: ctx.clock.now() })
      await publishCustomerCreated(tx, row, call)
      return { customer: customerToProto(row) }
    })
    return conflictOnTakenIds(ctx, storeId, draft, created)
  }
}
