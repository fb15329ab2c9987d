import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { type CustomerRow, customerColumns } from './schema.ts'

/** Records a sign-in of a claimed customer, so that it is not removed as unused. */
export async function recordSignIn(db: Queryable, storeId: string, id: string, now: Date): Promise<void> {
  await db.query(sql`update customer set signed_in_at = ${now} where store_id = ${storeId} and id = ${id}`)
}

/** Keeps claimed customers that another record names. Unknown and verified customers are ignored. */
export async function markReferenced(tx: Transaction, storeId: string, ids: readonly string[]): Promise<void> {
  await tx.query(sql`
    update customer set is_referenced = true
    where store_id = ${storeId} and id = any(${ids}::bigint[]) and sign_in_key is not null and not is_referenced`)
}

/**
 * Deletes claimed customers that have not signed in since `before`, that no other record names and that were never changed.
 * @returns up to `limit` deleted customers, the oldest first
 */
export async function deleteUnusedCustomers(tx: Transaction, before: Date, limit: number): Promise<CustomerRow[]> {
  return await tx.query<CustomerRow>(sql`
    with unused as (
      select store_id as unused_store_id, id as unused_id from customer
      where sign_in_key is not null and not is_referenced and version = 1 and signed_in_at < ${before}
        and not exists (select from portal_session opened
          where opened.store_id = customer.store_id and opened.customer_id = customer.id)
      order by signed_in_at limit ${limit} for update skip locked
    )
    delete from customer using unused where store_id = unused_store_id and id = unused_id
    returning ${customerColumns}`)
}
