import { errors } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { findOldestCustomer } from '../db/customer-list-repository.ts'
import { insertCustomerIfFree } from '../db/customer-repository.ts'
import type { CustomerRow } from '../db/schema.ts'
import type { AccountIds } from '../domain/account-reference.ts'
import { emptyDraft, newCustomer } from '../domain/customer-draft.ts'
import { checkLookup } from '../domain/customer-lookup.ts'
import { publishCustomerCreated } from '../events/publish.ts'

/** Finds or creates the customer of an account, and publishes its creation. Concurrent calls return the same customer. */
export async function findOrInsertCustomer(
  ctx: Pick<AppContext, 'ids' | 'clock'>,
  tx: Transaction,
  call: Call,
  ids: AccountIds,
): Promise<CustomerRow> {
  const storeId = requireStore(call)
  const customer = { ...newCustomer({ ...emptyDraft, ...ids }), id: await ctx.ids.next() }
  const row = await insertCustomerIfFree(tx, { ...customer, storeId, createdAt: ctx.clock.now() })
  if (row) {
    await publishCustomerCreated(tx, row, call)
    return row
  }
  // It exists; the insert waited for a concurrent call.
  const criteria = checkLookup(ids)
  const found = criteria && (await findOldestCustomer(tx, storeId, criteria))
  if (!found) throw errors.unavailable(new Error('the ids of a customer changed concurrently'))
  return found
}
