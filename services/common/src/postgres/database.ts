import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import type { Logger } from '../log/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { namedStatement } from './named-statement.ts'
import { createPipelinedConnections } from './pipelined-connections.ts'
import { exportPools } from './pool-metrics.ts'
import { translateError } from './postgres-errors.ts'
import { traceStatement } from './statement-span.ts'
import { type Queryable, runTransaction, type Transaction } from './transaction.ts'
import { typeParsers } from './type-parsers.ts'

export interface Database extends Queryable {
  /**
   * Runs `work` in one READ COMMITTED transaction: commits when it resolves, rolls back when it rejects.
   *
   * A serialization failure or deadlock runs `work` again, up to 3 times, so it must not change anything outside
   * the transaction. Statements may be sent without waiting for the one before; they are pipelined, in order.
   *
   * @throws ServiceFault `service-unavailable` when the database cannot be reached; the outcome of a commit that
   * broke off is unknown, which is what idempotency keys are for
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * For statements that may read many rows, searches above all. They have few connections, which are theirs alone, and
   * 2 s each: however many there are, they never stand in front of the look-ups by key.
   *
   * Throws like `query`; `service-unavailable` also when no connection becomes free within a second.
   */
  readonly scans: Queryable
  /** Resolves when the database answers. @throws ServiceFault `service-unavailable` */
  ping(): Promise<void>
  /** Waits for running statements, then closes every connection. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Connects as the service's own role, whose search_path is its schema. */
  url: string
  /** Shown by Postgres in `pg_stat_activity`. */
  applicationName: string
  /** Most transactions at a time; 10 unless given. Single statements use two to four more connections, scans three. */
  poolSize?: number
  /** Longest time of one statement; 3,000 unless given. */
  statementTimeoutMs?: number
  /** How long a transaction may wait for its client; 5,000 unless given. */
  idleTransactionMs?: number
  /** Multiplies the time limits but the one for locks; for tests on a busy machine. */
  timeLimitFactor?: number
  log: Logger
  /** Where the state of the pools is shown; nowhere unless given. One database of a process shows it. */
  metrics?: Metrics
}

/**
 * The database of a process. Connects when first used, so a database that is down does not stop a start.
 *
 * Single statements are multiplexed over a few long-lived pipelined connections; a transaction has a pool connection
 * to itself, and so has each of at most three scans. Time limits: 2 s to connect, 2 s for a lock, `statementTimeoutMs`
 * for a statement (enforced by Postgres, and 500 ms later by us in case Postgres itself stands still),
 * `idleTransactionMs` for a transaction that waits for its client. What a process holds when its machine vanishes, a
 * row or an Idempotency-Key, is free again after that; when the process alone ends, at once.
 */
export function createDatabase(options: DatabaseOptions): Database {
  const { log, poolSize = 10, idleTransactionMs = 5000, timeLimitFactor = 1 } = options
  const statementTimeoutMs = (options.statementTimeoutMs ?? 3000) * timeLimitFactor
  const connection: pg.ClientConfig = {
    connectionString: options.url,
    application_name: options.applicationName,
    types: typeParsers,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: 2000 * timeLimitFactor,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + 500,
    lock_timeout: Math.min(2000, statementTimeoutMs),
    idle_in_transaction_session_timeout: idleTransactionMs,
  }
  const lanes = createPipelinedConnections(connection, log)
  const pool = createPool({ ...connection, max: poolSize }, log)
  const scanPool = createPool({ ...connection, ...scanLimits(timeLimitFactor) }, log)
  if (options.metrics) exportPools(options.metrics, { transactions: pool, scans: scanPool })

  return {
    query: (statement) => traceStatement(statement, () => lanes.query(statement)),
    transaction: (work) => runTransaction(pool, work),
    scans: { query: (statement) => traceStatement(statement, () => runScan(scanPool, statement)) },
    ping: async () => {
      await lanes.query(pingStatement)
    },
    close: async () => {
      await Promise.all([lanes.close(), pool.end(), scanPool.end()]).catch((error: unknown) => {
        throw translateError(error)
      })
    },
  }
}

/** Postgres ends a scan well before its caller's deadline, so that it does not work on for nobody. */
function scanLimits(timeLimitFactor: number): pg.PoolConfig {
  return {
    max: 3,
    connectionTimeoutMillis: 1000 * timeLimitFactor,
    statement_timeout: 2000 * timeLimitFactor,
    query_timeout: 2500 * timeLimitFactor,
  }
}

const pingStatement = { text: 'select 1', values: [] } as unknown as Sql

function createPool(config: pg.PoolConfig, log: Logger): pg.Pool {
  // A connection lives at most half an hour, so that a rotated password or a moved primary is noticed.
  const pool = new pg.Pool({ ...config, idleTimeoutMillis: 30_000, maxLifetimeSeconds: 1800 })
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'))
  // Without a listener of its own a connection that breaks inside a transaction would end the process.
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

async function runScan<Row extends object>(pool: pg.Pool, statement: Sql): Promise<Row[]> {
  try {
    const { rows } = await pool.query<Row>(namedStatement(statement))
    return rows
  } catch (error) {
    throw translateError(error)
  }
}

function ignore(): void {}
