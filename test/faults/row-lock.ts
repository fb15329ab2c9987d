import { onServer, waitFor } from '@storekeep/test/kit'
import pg from 'pg'

/**
 * Locks the row of a customer until `release`. Requests that change it stay in flight, for up to the 2 s that a service
 * waits for a lock.
 */
export async function lockCustomer(adminUrl: string, customerId: string): Promise<RowLock> {
  return await lock(adminUrl, 'select from customers.customer where id = $1 for update', [customerId])
}

/** Like `lockCustomer`, for all customers, and for requests that read them too. */
export async function lockAllCustomers(adminUrl: string): Promise<RowLock> {
  return await lock(adminUrl, 'lock table customers.customer in access exclusive mode')
}

/** Takes the locks of a statement until `release`. */
export async function lock(adminUrl: string, statement: string, values: string[] = []): Promise<RowLock> {
  const client = new pg.Client({ connectionString: adminUrl })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('begin')
  await client.query(statement, values)
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')

  async function waiters(): Promise<string[]> {
    const waiting = await onServer(adminUrl, (other) =>
      other.query<{ statement: string }>(
        'select concat_ws($2, pid, query_start) as statement from pg_stat_activity where $1 = any(pg_blocking_pids(pid)) order by query_start',
        [rows[0]?.pid, ' since '],
      ),
    )
    return waiting.rows.map(({ statement }) => statement)
  }

  return {
    waiters,
    waiting: (count) =>
      waitFor(`${count} statements to wait for the lock`, async () => {
        const statements = await waiters()
        return statements.length >= count && statements
      }),
    release: async () => {
      await client.query('rollback')
      await client.end()
    },
  }
}

export interface RowLock {
  /** Identifies the statements that wait for the lock at this moment, longest first. */
  waiters(): Promise<string[]>
  /** Resolves to the waiters when there are `count` of them. */
  waiting(count: number): Promise<string[]>
  release(): Promise<void>
}
