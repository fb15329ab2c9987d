import sql from 'sql-template-tag'
import type { Transaction } from './transaction.ts'

/**
 * Serializes the transactions that lock the same name, until they end. For rules about rows that may not exist yet, such as a limit
 * on their number.
 * @param name unique among the services that share the database: `game servers of 411486491596816384`
 */
export async function lockName(tx: Transaction, name: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}
