import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'

/** Until the transaction ends, nobody else adds to what the store has. */
export async function lockStoreSize(tx: Transaction, storeId: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('custom-variables of ' || ${storeId}::text, 0))`)
}

/** How much the store has. */
export async function countOfStore(db: Queryable, storeId: string): Promise<{ variables: number; options: number }> {
  const [row] = await db.query<{ variables: number; options: number }>(sql`
    select (select count(*)::int from custom_variable where store_id = ${storeId}) as variables,
      (select count(*)::int from custom_variable_option where store_id = ${storeId}) as options`)
  return row ?? { variables: 0, options: 0 }
}
