import { batchReads, expectRow, type FindById, type Queryable, type Transaction } from '@storekeep/common/postgres'
import sql, { raw } from 'sql-template-tag'
import { type CustomerRow, customerColumns, customersByKey } from '../../customers/db/schema.ts'
import type { TokenEpochs } from './schema.ts'

/**
 * Reads both epochs in one snapshot.
 *
 * A single statement runs entirely before or after any revocation, and every statement that starts after a revocation
 * returned sees it. A row lock would add a disk write per token and is not needed.
 *
 * @returns undefined for an unknown customer
 */
export async function findEpochs(db: Queryable, storeId: string, customerId: string): Promise<TokenEpochs | undefined> {
  const [row] = await db.query<TokenEpochs>(
    sql`select ${epochColumns} from customer where store_id = ${storeId} and id = ${customerId}`,
  )
  return row
}

/** Like `findEpochs`, outside of a transaction. */
export function createEpochsFinder(database: Queryable): FindById<Pick<CustomerRow, 'id' | 'storeId'> & TokenEpochs> {
  return batchReads(
    database,
    (storeIds, ids) => sql`select id, store_id as "storeId", ${epochColumns} from ${customersByKey(storeIds, ids)}`,
  )
}

/** Reads a customer and both epochs in one snapshot. */
export function createCustomerWithEpochsFinder(database: Queryable): FindById<CustomerRow & TokenEpochs> {
  return batchReads(
    database,
    (storeIds, ids) => sql`select ${customerColumns}, ${epochColumns} from ${customersByKey(storeIds, ids)}`,
  )
}

/** Reads the customer of a sign-in key and both epochs in one snapshot. */
export async function findCustomerBySignInKey(
  db: Queryable,
  storeId: string,
  signInKey: string,
): Promise<(CustomerRow & TokenEpochs & { signedInAt: Date }) | undefined> {
  const [row] = await db.query<CustomerRow & TokenEpochs & { signedInAt: Date }>(sql`
    select ${customerColumns}, ${epochColumns}, signed_in_at as "signedInAt" from customer
    where store_id = ${storeId} and sign_in_key = ${signInKey}`)
  return row
}

/** Revokes every token of the customer. @returns the updated customer; undefined for an unknown one */
export async function raiseCustomerEpoch(
  tx: Transaction,
  storeId: string,
  customerId: string,
): Promise<(CustomerRow & { tokenEpoch: number }) | undefined> {
  const [row] = await tx.query<CustomerRow & { tokenEpoch: number }>(sql`
    update customer set token_epoch = token_epoch + 1, version = version + 1
    where store_id = ${storeId} and id = ${customerId}
    returning ${customerColumns}, token_epoch as "tokenEpoch"`)
  return row
}

/** Revokes every token of the store. @returns the new epoch */
export async function raiseStoreEpoch(tx: Transaction, storeId: string): Promise<number> {
  const rows = await tx.query<{ tokenEpoch: number }>(sql`
    insert into store_token_epoch as store (store_id, token_epoch) values (${storeId}, 1)
    on conflict (store_id) do update set token_epoch = store.token_epoch + 1
    returning token_epoch as "tokenEpoch"`)
  return expectRow(rows).tokenEpoch
}

/** Columns of TokenEpochs, for a statement on `customer`. */
export const epochColumns = raw(`customer.token_epoch as "customerEpoch",
  coalesce((select store.token_epoch from store_token_epoch store where store.store_id = customer.store_id), 0) as "storeEpoch"`)
