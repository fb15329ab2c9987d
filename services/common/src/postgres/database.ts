import type pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { type ConnectionShares, shareConnections } from '../config/index.ts'
import { ServiceFault } from '../errors/index.ts'
import type { Logger } from '../log/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { type Cancelable, closeOnAbort, throwIfCanceled } from './cancellation.ts'
import { createGroupCommit } from './group-commit.ts'
import { namedStatement } from './named-statement.ts'
import { createPipelinedConnections } from './pipelined-connections.ts'
import { exportPools } from './pool-metrics.ts'
import { errorIfBroken, isTimeout, translateError } from './postgres-errors.ts'
import { type ReplicaWatch, watchReplica } from './replica.ts'
import { createSchemaGate } from './schema-gate.ts'
import { createServers, type ServerPool } from './servers.ts'
import { traceStatement } from './statement-span.ts'
import { timeLimits, watchTimeLimits } from './time-limits.ts'
import { type Queryable, runTransaction, type Transaction } from './transaction.ts'
import { typeParsers } from './type-parsers.ts'

export interface Database extends Queryable {
  /**
   * Runs `work` in a READ COMMITTED transaction: commits if it resolves, rolls back if it rejects.
   *
   * After a serialization failure or deadlock, `work` runs again, up to 3 times, so it must not have effects outside the
   * transaction. Statements may be sent without awaiting the previous one; they are pipelined in order. A transaction
   * without statements, only with `insert`, shares a statement with concurrent callers.
   *
   * @param caller the call that needs the result. The transaction ends immediately when it is canceled, even while waiting for a
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
   * @param caller the call that needs the result. A scan ends immediately when it is canceled
   * @param options.mayLag the result may be as old as `replica.maxLagMs`, so the read replica may serve it. Only for
   * searches and lists: never for reads that decide access, limits or a write. Default: false
   */
  scans(caller?: Cancelable, options?: { mayLag?: boolean }): Queryable
  /** Resolves if the database responds. @throws ServiceFault `service-unavailable` */
  ping(): Promise<void>
  /** Waits for running statements, then closes every connection. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Contains the service's role, whose search_path is the service's schema. May list several hosts; see `createServers`. */
  url: string
  /** Serves the scans that may lag while it is at most `maxLagMs` behind the primary. Default: none. */
  replica?: { url: string; maxLagMs: number } | undefined
  /** Shown in `pg_stat_activity`. */
  applicationName: string
  /** Default: the shares of a process with 20 connections. */
  connections?: Partial<ConnectionShares>
  /** Multiplies the time limits that this process enforces; for tests on a busy machine. */
  timeLimitFactor?: number
  /**
   * Verifies that the process may use this database. Runs before the first statement, and until it has succeeded, no other
   * statement runs: each fails with `service-unavailable`. Default: it may
   */
  check?: (database: Queryable) => Promise<void>
  log: Logger
  /** Exports pool metrics if given. Only one database per process may do so. */
  metrics?: Metrics
}

/**
 * Creates the database of a process. Connects on first use, so that a process starts while the database is unavailable.
 *
 * Single statements share a few pipelined connections; a transaction, and each scan, uses a pool connection exclusively. The
 * role has the time limits of `timeLimits`, as set by the migrations; the process closes a connection 500 ms after the limit of
 * a statement, in case Postgres is unresponsive. Connecting may take 2 s.
 *
 * Nothing here needs a session, so the server may be a pooler in transaction mode that supports prepared statements: limits
 * other than the role's are part of a statement, or enforced by canceling it.
 */
export function createDatabase(options: DatabaseOptions): Database {
  const { log, timeLimitFactor = 1 } = options
  const shares = { ...shareConnections(20), ...options.connections }
  const connectMs = 2000 * timeLimitFactor
  const config: pg.PoolConfig = {
    application_name: options.applicationName,
    types: typeParsers,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    query_timeout: timeLimits.statement_timeout * timeLimitFactor + 500,
    idleTimeoutMillis: 30_000,
    // So that a rotated password or a moved primary takes effect.
    maxLifetimeSeconds: 1800,
  }
  const scanConfig = {
    ...config,
    max: shares.scans,
    connectionTimeoutMillis: connectMs / 2,
    query_timeout: scanMs * timeLimitFactor,
  }
  const servers = createServers({ url: options.url, connectMs, log })
  const statementPool = servers.createPool({ ...config, max: shares.statements })
  const pool = servers.createPool({ ...config, max: shares.transactions })
  const scanPool = servers.createPool(scanConfig)
  const groupPool = servers.createPool({ ...config, max: shares.inserts })
  const watch = watchTimeLimits(log, options.metrics)
  const pipelined = createPipelinedConnections(statementPool, { log, watch })
  const groups = createGroupCommit({ max: shares.inserts, connect: groupPool.connect })
  const { check } = options
  const gate = createSchemaGate(check && (() => check(pipelined)))
  const replica = options.replica && openReplica(options.replica)
  const pools = {
    transactions: pool.pool,
    inserts: groupPool.pool,
    scans: scanPool.pool,
    ...(replica && { replica: replica.pool.pool }),
  }
  if (options.metrics) exportPools(options.metrics, pools)

  function openReplica({ url, maxLagMs }: { url: string; maxLagMs: number }): Replica {
    const replicaPool = createServers({ url, connectMs, log, target: 'any' }).createPool(scanConfig)
    const query: Queryable['query'] = (statement) => runScan(replicaPool, statement, {})
    return {
      pool: replicaPool,
      watch: watchReplica({ primary: pipelined, replica: { query }, maxLagMs, log }),
    }
  }

  const listeners: { table: string; listener: () => void }[] = []
  const notifyInserted = (tables: ReadonlySet<string>): void => {
    for (const { table, listener } of listeners) if (tables.has(table)) listener()
  }

  return {
    onInsert: (table, listener) => void listeners.push({ table, listener }),
    query: (statement) => gate(() => traceStatement(statement, () => pipelined.query(statement))),
    transaction: (work, caller = {}) => gate(() => runTransaction({ pool, groups, notifyInserted }, work, caller)),
    scans: (caller = {}, { mayLag = false } = {}) => ({
      query<Row extends object>(statement: Sql) {
        const scan = (on: ServerPool) => runScan<Row>(on, statement, caller)
        const run = () => (mayLag && replica ? scanReplica(replica, scanPool, scan, caller) : scan(scanPool))
        return gate(() => traceStatement(statement, run))
      },
    }),
    ping: async () => {
      await gate(() => pipelined.query(pingStatement))
    },
    close: async () => {
      replica?.watch.stop()
      pipelined.close()
      await Promise.all([statementPool.pool, ...Object.values<pg.Pool>(pools)].map((one) => one.end()))
    },
  }
}

/** Well before the caller's deadline, so that a scan does not continue after its caller has given up. */
const scanMs = 2000

const pingStatement = sql`select 1`

async function runScan<Row extends object>(pool: ServerPool, statement: Sql, caller: Cancelable): Promise<Row[]> {
  const client = await pool.connect().catch((error: unknown) => {
    throw translateError(error)
  })
  const unwatch = closeOnAbort(caller, client)
  let broken: Error | undefined
  try {
    throwIfCanceled(caller)
    return (await client.query<Row>(namedStatement(statement))).rows
  } catch (error) {
    broken = errorIfBroken(error)
    throw translateError(error)
  } finally {
    unwatch()
    client.release(broken)
  }
}

/** Falls back to the primary, except for a scan that takes too long: it would take as long there. */
async function scanReplica<Row extends object>(
  { pool, watch }: Replica,
  primary: ServerPool,
  scan: (on: ServerPool) => Promise<Row[]>,
  caller: Cancelable,
): Promise<Row[]> {
  if (!watch.isFresh()) return await scan(primary)
  try {
    return await scan(pool)
  } catch (error) {
    if (caller.signal?.aborted || (error instanceof ServiceFault && isTimeout(error.cause))) throw error
    // Other errors come from the lag, such as a column that a migration has just added.
    if (error instanceof ServiceFault) watch.discard()
    return await scan(primary)
  }
}

interface Replica {
  pool: ServerPool
  watch: ReplicaWatch
}
