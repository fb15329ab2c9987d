import type pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { withClient } from './servers.ts'
import type { Queryable } from './transaction.ts'

/**
 * Runs `work` with a separate connection for statements that take long, such as creating an index. Each may take an hour.
 *
 * @param options.lockMs how long a statement outside of a transaction may wait for other transactions to end
 * @throws pg.DatabaseError, or an error of the connection
 */
export async function withBulkConnection<T>(
  { url, applicationName, lockMs = 300_000 }: BulkOptions,
  work: (bulk: BulkConnection) => Promise<T>,
): Promise<T> {
  const config = { url, application_name: applicationName, pipeline: true }
  return await withClient({ ...config, connectMs: 10_000, statementMs: maxMs + 10_000 }, (client) =>
    work({
      alone: (statement) => runAlone(client, statement, lockMs),
      async transaction(run) {
        await client.query(`begin; set local statement_timeout = ${maxMs}`)
        const result = await run({ query: async (statement: Sql) => (await client.query(statement)).rows })
        await client.query('commit')
        return result
      },
    }),
  )
}

export interface BulkConnection {
  /**
   * Executes a statement that cannot run in a transaction, such as `create index concurrently`. Fails with `lock_not_available`
   * (55P03) if it waits for other transactions for longer than `lockMs`.
   */
  alone(statement: string): Promise<void>
  /** Runs `work` in a transaction. After a failure, the connection can only be closed, which rolls back. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
}

/** Drops an index whose concurrent creation was interrupted: Postgres keeps it, but does not use it. */
export async function dropInvalidIndex(bulk: BulkConnection, name: string): Promise<void> {
  const invalid = await bulk.transaction((tx) =>
    tx.query(sql`select from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`),
  )
  if (invalid.length > 0) await bulk.alone(`drop index concurrently if exists ${name}`)
}

/**
 * Raises the time limits of the session for the statement. A pooler in transaction mode gives the session to others between two
 * statements unless it has already received the next one, so none is awaited, and the first statement takes until all have arrived.
 * If the pooler used several sessions nevertheless, the session with the raised limits is ended, unless this connection is lost
 * before: then the pooler's limit on the age of sessions ends it.
 */
async function runAlone(client: pg.ClientBase, statement: string, lockMs: number): Promise<void> {
  const [raised, executed, , , restored] = await Promise.allSettled([
    client.query<Session>(`select pg_backend_pid() as pid, set_config('statement_timeout', '${maxMs}', false),
      set_config('lock_timeout', '${lockMs}', false), pg_sleep(0.1)`),
    client.query(statement),
    client.query('reset statement_timeout'),
    client.query('reset lock_timeout'),
    client.query<Session>('select pg_backend_pid() as pid'),
  ] as const)
  const pids = [raised, restored].map((one) => (one.status === 'fulfilled' ? one.value.rows[0]?.pid : undefined))
  if (pids[1] !== undefined && pids[0] !== pids[1]) await client.query('select pg_terminate_backend($1)', [pids[0]])
  for (const one of [raised, executed]) if (one.status === 'rejected') throw one.reason
}

interface Session {
  pid: number
}

interface BulkOptions {
  url: string
  applicationName: string
  lockMs?: number | undefined
}

const maxMs = 3_600_000
