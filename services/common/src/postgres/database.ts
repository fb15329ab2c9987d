import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { ServiceFault } from '../errors/index.ts'
import type { Logger } from '../log/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { type Cancelable, throwIfCanceled, watchSignal } from './cancellation.ts'
import { type ConnectionShares, shareConnections } from './connection-shares.ts'
import { createGroupCommit } from './group-commit.ts'
import { createPipelinedConnections } from './pipelined-connections.ts'
import { exportPools } from './pool-metrics.ts'
import { breaksConnection, translateError } from './postgres-errors.ts'
import { type ReplicaWatch, watchReplica } from './replica.ts'
import { runStatement } from './run-statement.ts'
import { createSchemaGate } from './schema-gate.ts'
import { createServers, type Servers } from './servers.ts'
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
   * @param options.mayLag the result may be as old as `replica.maxLagMs`, so the read replica may serve it. Only for
   * searches and lists: never for what decides about access, limits or a write. Default: false
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
  /** The default is that of a process with 20 connections. */
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
 * other than those of the role are part of a statement, or enforced by canceling it.
 */
export function createDatabase(options: DatabaseOptions): Database {
  const { log, timeLimitFactor = 1 } = options
  const shares = { ...shareConnections(20), ...options.connections }
  const connectMs = 2000 * timeLimitFactor
  const servers = createServers({ url: options.url, connectMs, log })
  const connection: pg.ClientConfig = {
    connectionString: servers.connectionString,
    application_name: options.applicationName,
    types: typeParsers,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    query_timeout: timeLimits.statement_timeout * timeLimitFactor + 500,
  }
  const watch = watchTimeLimits(log, options.metrics)
  const pipelined = createPipelinedConnections(servers, connection, { max: shares.statements, log, watch })
  const pool = createPool(servers, { ...connection, max: shares.transactions }, log)
  const scanConnection = { ...connection, max: shares.scans, connectionTimeoutMillis: connectMs / 2 }
  const scanPool = createPool(servers, scanConnection, log)
  const groupPool = createPool(servers, { ...connection, max: shares.inserts }, log)
  const groups = createGroupCommit(groupPool)
  const { check } = options
  const gate = createSchemaGate(check && (() => check(pipelined)))
  const replica = options.replica && openReplica(options.replica)
  const pools = { transactions: pool, inserts: groupPool, scans: scanPool, ...(replica && { replica: replica.pool }) }
  if (options.metrics) exportPools(options.metrics, pools)

  function openReplica({ url, maxLagMs }: { url: string; maxLagMs: number }): Replica {
    const allowed = createServers({ url, connectMs, log, target: 'any' })
    const replicaPool = createPool(allowed, { ...scanConnection, connectionString: allowed.connectionString }, log)
    const query: Queryable['query'] = async (statement) => (await replicaPool.query(statement)).rows
    const { metrics } = options
    return {
      pool: replicaPool,
      watch: watchReplica({ primary: pipelined, replica: { query }, maxLagMs, log, metrics }),
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
        const scan = (on: pg.Pool) => runScan<Row>(on, statement, caller, scanMs * timeLimitFactor)
        const run = () => (mayLag && replica ? scanReplica(replica, scanPool, scan, caller) : scan(scanPool))
        return gate(() => traceStatement(statement, run))
      },
    }),
    ping: async () => {
      await gate(() => pipelined.query(pingStatement))
    },
    close: async () => {
      replica?.watch.stop()
      const ended = Object.values<pg.Pool>(pools).map((one) => one.end())
      await Promise.all([pipelined.close(), ...ended]).catch((error: unknown) => {
        throw translateError(error)
      })
    },
  }
}

/** Well before the caller's deadline, so that a scan does not continue after its caller has given up. */
const scanMs = 2000

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
  maxMs: number,
): Promise<Row[]> {
  const client = await pool.connect().catch((error: unknown) => {
    throw translateError(error)
  })
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), maxMs)
  const signal = caller.signal ? AbortSignal.any([caller.signal, limit.signal]) : limit.signal
  const unwatch = watchSignal({ signal }, client)
  let isBroken = false
  try {
    throwIfCanceled(caller)
    return await runStatement<Row>(client, statement)
  } catch (error) {
    isBroken = breaksConnection(error)
    throw translateError(error)
  } finally {
    clearTimeout(timer)
    await unwatch().catch(() => {
      isBroken = true
    })
    client.release(isBroken)
  }
}

/** Falls back to the primary, except for a scan that takes too long: it would take as long there. */
async function scanReplica<Row extends object>(
  { pool, watch }: Replica,
  primary: pg.Pool,
  scan: (on: pg.Pool) => Promise<Row[]>,
  caller: Cancelable,
): Promise<Row[]> {
  if (!watch.isFresh()) return await scan(primary)
  try {
    return await scan(pool)
  } catch (error) {
    if (caller.signal?.aborted || isTimeout(error)) throw error
    // Other errors come from the lag, such as a column that a migration has just added.
    if (error instanceof ServiceFault) watch.discard()
    return await scan(primary)
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof ServiceFault && error.cause instanceof pg.DatabaseError && error.cause.code === '57014'
}

interface Replica {
  pool: pg.Pool
  watch: ReplicaWatch
}

function ignore(): void {}
