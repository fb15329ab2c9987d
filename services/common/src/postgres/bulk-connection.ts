import type pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { withClient } from './servers.ts'
import type { Queryable } from './transaction.ts'

/**
 * Runs `work` with a separate connection for statements that take long, such as creating an index. Each may take an hour.
 * @throws pg.DatabaseError, or an error of the connection
 */
export async function withBulkConnection<T>(
  { url, applicationName }: { url: string; applicationName: string },
  work: (bulk: BulkConnection) => Promise<T>,
): Promise<T> {
  const options = { url, application_name: applicationName, connectMs: 10_000, statementMs: maxMs + 10_000 }
  return await withClient(options, async (client) => await work(await openBulk(client)))
}

export interface BulkConnection {
  /**
   * For statements that cannot run in a transaction. Undefined behind a pooler, which may be in transaction mode: there, a time
   * limit can only be changed for a transaction.
   */
  direct: Queryable | undefined
  /** Runs `work` in a transaction. After a failure, the connection can only be closed, which rolls back. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
}

async function openBulk(client: pg.Client): Promise<BulkConnection> {
  const queryable: Queryable = { query: async (statement: Sql) => (await client.query(statement)).rows }
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  // A pooler invents the process id that clients get.
  const isDirect = 'processID' in client && client.processID === rows[0]?.pid
  if (isDirect) await client.query(`set statement_timeout = ${maxMs}`)
  return {
    direct: isDirect ? queryable : undefined,
    async transaction(work) {
      await client.query(`begin; set local statement_timeout = ${maxMs}`)
      const result = await work(queryable)
      await client.query('commit')
      return result
    },
  }
}

const maxMs = 3_600_000
