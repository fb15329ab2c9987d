import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import { type Queryable, takenPath } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AppContext, CustomersHandlers } from '../context.ts'
import { findTakenIds, insertCustomers } from '../db/customer-batch-repository.ts'
import { takenIds } from '../db/taken-ids.ts'
import { checkBatch, takenInBatch } from '../domain/customer-batch.ts'
import type { CustomerDraft } from '../domain/customer-draft.ts'
import { publishCustomerCreated } from '../events/publish.ts'
import { customerInputFromProto, customerToProto } from '../mappers.ts'

export function bulkCreateCustomers(ctx: AppContext): CustomersHandlers['bulkCreateCustomers'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const drafts = checkBatch(request.customers.map(customerInputFromProto))
    const created = write(ctx, call, request, async (tx) => {
      await refuseTaken(tx, storeId, drafts)
      const rows = await insertCustomers(tx, storeId, drafts, ctx.clock.now())
      await Promise.all(rows.map((row) => publishCustomerCreated(tx, row, call)))
      return { customers: rows.map(customerToProto) }
    })
    try {
      return await created
    } catch (error) {
      // Somebody took an id between our look and our insert; now a look tells which ones are taken.
      if (takenPath(takenIds, error) !== undefined) await refuseTaken(ctx.database, storeId, drafts)
      throw takenPath(takenIds, error) === undefined ? error : errors.unavailable(error)
    }
  }
}

/** Names every taken id; the index, which has the last word, would only name the first. */
async function refuseTaken(db: Queryable, storeId: string, drafts: readonly CustomerDraft[]): Promise<void> {
  const taken = takenInBatch(drafts, await findTakenIds(db, storeId, drafts))
  if (taken.length > 0)
    throw errors.conflict('Some ids belong to other customers, of the store or of the batch.', taken)
}
