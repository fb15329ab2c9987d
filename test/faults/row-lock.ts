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
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')

  async function waiters(): Promise<number> {
    const waiting = await onServer(adminUrl, (other) =>
      other.query('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [rows[0]?.pid]),
    )
    return waiting.rowCount ?? 0
  }

  return {
    waiters,
    waiting: async (count) => {
      await waitFor(`${count} statements to wait for the lock`, async () => (await waiters()) >= count)
    },
    release: async () => {
      await client.query('rollback')
      await client.end()
    },
  }
}

export interface RowLock {
  /** The number of statements that wait for the lock at this moment. */
  waiters(): Promise<number>
  /** Resolves when `count` statements wait for the lock. */
  waiting(count: number): Promise<void>
  release(): Promise<void>
}
