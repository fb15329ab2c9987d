import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import type { Logger } from '../log/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { type Cancelable, type CancelStatement, throwIfCanceled, watchSignal } from './cancellation.ts'
import { readTextFast } from './fast-text.ts'
import { createGroupCommit, lockMs } from './group-commit.ts'
import { namedStatement } from './named-statement.ts'
import { createPipelinedConnections } from './pipelined-connections.ts'
import { exportPools } from './pool-metrics.ts'
import { breaksConnection, translateError } from './postgres-errors.ts'
import { createServers, type Servers } from './servers.ts'
import { traceStatement } from './statement-span.ts'
import { type Queryable, runTransaction, type Transaction } from './transaction.ts'
import { typeParsers } from './type-parsers.ts'

export interface Database extends Queryable {
  /**
   * Runs `work` in a READ COMMITTED transaction: commits if it resolves, rolls back if it rejects.
   *
   * After a serialization failure or deadlock, `work` runs again, up to 3 times, so it must not have effects outside the
   * transaction. Statements may be sent without awaiting the previous one; they are pipelined in order. A transaction
   * without statements, only with `insert`, shares a statement with those of concurrent callers.
   *
   * @param caller the call that needs the result. The transaction ends at once when it is canceled, even while waiting for a
   * lock
   * @throws ServiceFault `service-unavailable` if the database is unreachable or the caller has left. If the connection is
   * lost during the commit, its outcome is unknown; callers retry with an idempotency key
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, caller?: Cancelable): Promise<T>
  /** Calls `listener` after each transaction that has inserted rows into the table with `insert`. It must not throw. */
  onInsert(table: string, listener: () => void): void
  /**
   * For statements that may read many rows, such as searches. They use separate connections and have 2 s each, so that
   * they never delay lookups by key.
   *
   * Throws like `query`, and `service-unavailable` if no connection becomes free within a second or the caller has left.
   * @param caller the call that needs the result. A scan ends at once when it is canceled
   */
  scans(caller?: Cancelable): Queryable
  /** Resolves if the database responds. @throws ServiceFault `service-unavailable` */
  ping(): Promise<void>
  /** Waits for running statements, then closes every connection. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Contains the service's role, whose search_path is the service's schema. May list several hosts; see `createServers`. */
  url: string
  /** Shown in `pg_stat_activity`. */
  applicationName: string
  /**
   * Maximum number of concurrent transactions. Default: 10. Statements use 2 to 4 more connections, transactions that only
   * insert 2, scans 3.
   */
  poolSize?: number
  /** Statement timeout. Default: 3,000. */
  statementTimeoutMs?: number
  /** How long a transaction may be idle. Default: 5,000. */
  idleTransactionMs?: number
  /** Multiplies the time limits but the one for locks; for tests on a busy machine. */
  timeLimitFactor?: number
  log: Logger
  /** Exports pool metrics if given. Only one database per process may do so. */
  metrics?: Metrics
}

/**
 * Creates the database of a process. Connects on first use, so that a process starts while the database is unavailable.
 *
 * Single statements share a few pipelined connections; a transaction, and each of up to three scans, uses a pool connection
 * exclusively. Timeouts: 2 s to connect, 2 s for a lock, `statementTimeoutMs` for a statement (enforced by Postgres, and
 * 500 ms later by the client in case Postgres is unresponsive), and `idleTransactionMs` for an idle transaction, after
 * which Postgres also releases the locks of a machine that vanished. If only the process dies, they are released at once.
 */
export function createDatabase(options: DatabaseOptions): Database {
  const { log, poolSize = 10, idleTransactionMs = 5000, timeLimitFactor = 1 } = options
  const statementTimeoutMs = (options.statementTimeoutMs ?? 3000) * timeLimitFactor
  const connectMs = 2000 * timeLimitFactor
  const servers = createServers({ url: options.url, connectMs, log })
  const connection: pg.ClientConfig = {
    connectionString: servers.connectionString,
    application_name: options.applicationName,
    types: typeParsers,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + 500,
    lock_timeout: Math.min(2000, statementTimeoutMs),
    idle_in_transaction_session_timeout: idleTransactionMs,
  }
  const pipelined = createPipelinedConnections(servers, connection, log)
  const pool = createPool(servers, { ...connection, max: poolSize }, log)
  const scanPool = createPool(servers, { ...connection, ...scanLimits(timeLimitFactor) }, log)
  const groupPool = createPool(servers, { ...connection, max: 2, lock_timeout: lockMs }, log)
  const groups = createGroupCommit(groupPool)
  if (options.metrics) exportPools(options.metrics, { transactions: pool, inserts: groupPool, scans: scanPool })

  const cancelStatement: CancelStatement = async (client) => {
    const pid = 'processID' in client ? client.processID : undefined
    // If it fails, the statement runs into its timeout.
    await pipelined.query(sql`select pg_cancel_backend(${pid}::int)`).catch(ignore)
  }

  const listeners: { table: string; listener: () => void }[] = []
  const notifyInserted = (tables: ReadonlySet<string>): void => {
    for (const { table, listener } of listeners) if (tables.has(table)) listener()
  }

  return {
    onInsert: (table, listener) => void listeners.push({ table, listener }),
    query: (statement) => traceStatement(statement, () => pipelined.query(statement)),
    transaction: (work, caller = {}) => runTransaction({ pool, groups, cancelStatement, notifyInserted }, work, caller),
    scans: (caller = {}) => ({
      query: (statement) => traceStatement(statement, () => runScan(scanPool, statement, caller, cancelStatement)),
    }),
    ping: async () => {
      await pipelined.query(pingStatement)
    },
    close: async () => {
      await Promise.all([pipelined.close(), pool.end(), groupPool.end(), scanPool.end()]).catch((error: unknown) => {
        throw translateError(error)
      })
    },
  }
}

/** Postgres cancels a scan well before the caller's deadline, so that it does not continue in vain. */
function scanLimits(timeLimitFactor: number): pg.PoolConfig {
  return {
    max: 3,
    connectionTimeoutMillis: 1000 * timeLimitFactor,
    statement_timeout: 2000 * timeLimitFactor,
    query_timeout: 2500 * timeLimitFactor,
  }
}

readTextFast()

const pingStatement = { text: 'select 1', values: [] } as unknown as Sql

function createPool(servers: Servers, config: pg.PoolConfig, log: Logger): pg.Pool {
  // Connections live for up to half an hour, so that a rotated password or a moved primary takes effect.
  const pool = new pg.Pool({ ...config, Client: servers.Client, idleTimeoutMillis: 30_000, maxLifetimeSeconds: 1800 })
  pool.on('error', (error) => log.warn({ err: error }, 'idle postgres connection lost'))
  pool.on('release', (error, client) => {
    if (error) servers.suspect(client)
  })
  // Without a listener, a connection error during a transaction would crash the process.
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

async function runScan<Row extends object>(
  pool: pg.Pool,
  statement: Sql,
  caller: Cancelable,
  cancelStatement: CancelStatement,
): Promise<Row[]> {
  const client = await pool.connect().catch((error: unknown) => {
    throw translateError(error)
  })
  const unwatch = watchSignal(caller, client, cancelStatement)
  let isBroken = false
  try {
    throwIfCanceled(caller)
    const { rows } = await client.query<Row>(namedStatement(statement))
    return rows
  } catch (error) {
    isBroken = breaksConnection(error)
    throw translateError(error)
  } finally {
    await unwatch()
    client.release(isBroken)
  }
}

function ignore(): void {}
