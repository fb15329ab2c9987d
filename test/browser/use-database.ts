import pg from 'pg'
import { afterAll, inject } from 'vitest'

/** The database of the shared system. */
export function useDatabase() {
  const database = new pg.Pool({ connectionString: inject('system').adminUrl, max: 2 })
  afterAll(() => database.end())

  async function count(table: 'payment' | 'store_order', checkoutId: string): Promise<number> {
    const { rows } = await database.query(`select count(*)::int as n from orders."${table}" where checkout_id = $1`, [
      checkoutId,
    ])
    return rows[0].n
  }

  return { database, count }
}
