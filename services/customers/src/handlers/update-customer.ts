import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { conflictOn } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AppContext, CustomersHandlers } from '../context.ts'
import { lockCustomer, updateCustomerState } from '../db/customer-repository.ts'
import { uniqueAccountIds } from '../db/unique-account-ids.ts'
import { applyChange, checkChange } from '../domain/customer-change.ts'
import { publishCustomerUpdated } from '../events/publish.ts'
import { customerInputFromProto, customerToProto } from '../mappers.ts'

export function updateCustomer(ctx: AppContext): CustomersHandlers['updateCustomer'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('customer_id', request.customerId)
    const change = checkChange(customerInputFromProto(request.customer), request.updateMask?.paths ?? [])
    const updated = write(ctx, call, request, async (tx) => {
      const row = await lockCustomer(tx, storeId, id)
      if (!row) throw errors.notFound('customer')
      const changed = applyChange(row, change)
      if (!changed) return { customer: customerToProto(row) }
      const written = await updateCustomerState(tx, row, changed, ctx.clock.now())
      await publishCustomerUpdated(tx, written, call)
      return { customer: customerToProto(written) }
    })
    return conflictOn(uniqueAccountIds, updated)
  }
}
