import { lockName, type Queryable, type Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'

/** Serializes the transactions that add variables or options to the store. */
export async function lockStoreSize(tx: Transaction, storeId: string): Promise<void> {
  await lockName(tx, `custom-variables of ${storeId}`)
}

/** Counts the variables and options of the store. */
export async function countStoreSize(db: Queryable, storeId: string): Promise<{ variables: number; options: number }> {
  const [row] = await db.query<{ variables: number; options: number }>(sql`
    select (select count(*)::int from custom_variable where store_id = ${storeId}) as variables,
      (select count(*)::int from custom_variable_option where store_id = ${storeId}) as options`)
  return row ?? { variables: 0, options: 0 }
}
