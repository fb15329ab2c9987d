import { onServer, waitFor } from '@storekeep/test/kit'
import pg from 'pg'

/**
 * Locks the row of a customer until `release`. Requests that change it stay in flight, for up to the 2 s that a service
 * waits for a lock.
 */
export async function lockCustomer(adminUrl: string, customerId: string): Promise<RowLock> {
  const client = new pg.Client({ connectionString: adminUrl })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('begin')
  await client.query('select from customers.customer where id = $1 for update', [customerId])
  return {
    waiting: async (count) => {
      await waitFor(`${count} statements to wait for the lock`, async () => {
        const { rows } = await onServer(adminUrl, (other) =>
          other.query<{ count: number }>(`
            select count(*)::int as count from pg_stat_activity
            where wait_event_type = 'Lock' and datname = current_database()`),
        )
        return (rows[0]?.count ?? 0) >= count
      })
    },
    release: async () => {
      await client.query('rollback')
      await client.end()
    },
  }
}

export interface RowLock {
  /** Resolves when `count` statements wait for a lock. */
  waiting(count: number): Promise<void>
  release(): Promise<void>
}
