import type pg from 'pg'
import type { Sql } from 'sql-template-tag'
import type { Span } from '../telemetry/index.ts'
import { type Cancelable, type Cancellation, type CancelStatement, watchSignal } from './cancellation.ts'
import { namedStatement } from './named-statement.ts'
import { breaksConnection, isRetryable, translateError } from './postgres-errors.ts'
import { traceStatement, traceTransaction } from './statement-span.ts'

/** Executes statements: the database itself or a transaction. The first parameter of repository functions. */
export interface Queryable {
  /**
   * Executes a prepared statement and returns its rows.
   * @throws ServiceFault `service-unavailable` if the database is unreachable or too slow
   * @throws pg.DatabaseError for errors of the statement; see `isUniqueViolation`
   */
  query<Row extends object = Record<string, unknown>>(statement: Sql): Promise<Row[]>
}

/** An open transaction. Created only by `Database.transaction`. */
export interface Transaction extends Queryable {
  /**
   * Executes the statement together with the commit, which saves a round trip. For statements without a needed result,
   * such as outbox rows and stored responses. If it fails, the transaction fails.
   */
  enqueueBeforeCommit(statement: Sql): void
  /** Calls `run` after the commit has succeeded. It must not throw. */
  afterCommit(run: () => void): void
  readonly [transactionBrand]: true
}

declare const transactionBrand: unique symbol

/** See `Database.transaction`. */
export function runTransaction<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  caller: Cancelable,
  cancelStatement: CancelStatement,
): Promise<T> {
  return traceTransaction((span) => attemptTransactions({ pool, work, caller, cancelStatement, span }))
}

async function attemptTransactions<T>(attempted: Attempt<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTransaction(attempted)
    } catch (error) {
      if (attempt > maxRetries || !isRetryable(error)) throw translateError(error)
      // A random delay, so that the same transactions do not collide again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
    }
  }
}

const maxRetries = 3

interface Attempt<T> {
  pool: pg.Pool
  work: (tx: Transaction) => Promise<T>
  caller: Cancelable
  cancelStatement: CancelStatement
  span: Span | undefined
}

async function attemptTransaction<T>({ pool, work, caller, cancelStatement, span }: Attempt<T>): Promise<T> {
  const client = await pool.connect()
  const cancellation = watchSignal(caller, client, cancelStatement)
  const { tx, enqueueBeforeCommit, afterCommit, end } = openTransaction(client, cancellation, span)
  let broken: Error | undefined
  try {
    cancellation.throwIfCanceled()
    // NOTE `begin` is not pipelined with the first statement: if only `begin` were canceled, that statement would run and
    // commit outside of a transaction.
    await client.query('begin')
    const result = await work(tx)
    end()
    // The commit is never canceled: Postgres would report success without waiting for its standby.
    await cancellation.unwatch()
    cancellation.throwIfCanceled()
    await commit(client, enqueueBeforeCommit, span)
    for (const run of afterCommit) run()
    return result
  } catch (error) {
    end()
    await cancellation.unwatch()
    broken = breaksConnection(error) ? asError(error) : await rollBack(client)
    throw error
  } finally {
    client.release(broken)
  }
}

function openTransaction(client: pg.PoolClient, cancellation: Cancellation, span: Span | undefined): OpenTransaction {
  let open = true
  const enqueueBeforeCommit: Sql[] = []
  const afterCommit: (() => void)[] = []
  function expectOpen(): void {
    if (!open) throw new Error('A statement was sent to a transaction that has ended.')
  }
  const tx = {
    async query(statement: Sql) {
      expectOpen()
      cancellation.throwIfCanceled()
      const { rows } = await traceStatement(statement, () => client.query(namedStatement(statement)), span)
      return rows
    },
    enqueueBeforeCommit(statement: Sql) {
      expectOpen()
      enqueueBeforeCommit.push(statement)
    },
    afterCommit(run: () => void) {
      afterCommit.push(run)
    },
  } as Transaction
  return {
    tx,
    enqueueBeforeCommit,
    afterCommit,
    end: () => {
      open = false
    },
  }
}

/**
 * Sends the remaining statements and the commit without waiting in between. If one fails, the commit becomes a rollback,
 * which Postgres reports without an error.
 */
async function commit(client: pg.PoolClient, statements: readonly Sql[], span: Span | undefined): Promise<void> {
  const sent = statements.map((statement) =>
    traceStatement(statement, () => client.query(namedStatement(statement)), span),
  )
  const ending = traceStatement(commitStatement, () => client.query('commit'), span)
  const [committed, ...others] = await Promise.allSettled([ending, ...sent])
  for (const outcome of others) if (outcome.status === 'rejected') throw outcome.reason
  if (committed.status === 'rejected') throw committed.reason
  if (committed.value.command !== 'COMMIT') {
    throw new Error('The transaction had a failed statement and was rolled back.')
  }
}

const commitStatement = { text: 'commit' }

async function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback')
    return undefined
  } catch (error) {
    return asError(error)
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

interface OpenTransaction {
  tx: Transaction
  enqueueBeforeCommit: readonly Sql[]
  afterCommit: readonly (() => void)[]
  /** Rejects further statements. */
  end(): void
}
