import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import { type Queryable, takenPath } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { findIdOwners, insertCustomers } from '../db/customer-batch-repository.ts'
import { uniqueAccountIds } from '../db/unique-account-ids.ts'
import { checkBatch, takenIdViolations } from '../domain/customer-batch.ts'
import { type CustomerDraft, newCustomer } from '../domain/customer-draft.ts'
import { publishCustomerCreated } from '../events/publish.ts'
import { customerInputFromProto, customerToProto } from '../mappers.ts'

export function bulkCreateCustomers(ctx: AppContext): CustomersHandlers['bulkCreateCustomers'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const drafts = checkBatch(request.customers.map(customerInputFromProto))
    const created = write(ctx, call, request, async (tx) => {
      await assertIdsFree(tx, storeId, drafts)
      const createdAt = ctx.clock.now()
      const customers = drafts.map(async (draft) => {
        return { ...newCustomer(draft), id: await ctx.ids.next(), storeId, createdAt }
      })
      const rows = insertCustomers(tx, await Promise.all(customers))
      await Promise.all(rows.map((row) => publishCustomerCreated(tx, row, call)))
      return { customers: rows.map(customerToProto) }
    })
    try {
      return await created
    } catch (error) {
      // A concurrent call took an id between the check and the insert. Check again to name every taken id.
      if (takenPath(uniqueAccountIds, error) !== undefined) await assertIdsFree(ctx.database, storeId, drafts)
      throw takenPath(uniqueAccountIds, error) === undefined ? error : errors.unavailable(error)
    }
  }
}

/** Names every taken id; a unique violation would name only the first. */
async function assertIdsFree(db: Queryable, storeId: string, drafts: readonly CustomerDraft[]): Promise<void> {
  const taken = takenIdViolations(drafts, await findIdOwners(db, storeId, drafts))
  if (taken.length > 0) throw errors.conflict('Some ids belong to other customers of this store or the batch.', taken)
}
