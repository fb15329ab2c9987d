import type pg from 'pg'
import type { Sql } from 'sql-template-tag'
import type { Span } from '../telemetry/index.ts'
import { type Cancelable, closeOnAbort, throwIfCanceled } from './cancellation.ts'
import type { GroupCommit } from './group-commit.ts'
import { insertStatement, type Row, type TableRow } from './insert-rows.ts'
import { namedStatement } from './named-statement.ts'
import { errorIfBroken, isRetryable, translateError } from './postgres-errors.ts'
import type { ServerConnection, ServerPool } from './servers.ts'
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
   * Inserts a row with the commit. A transaction that only inserts rows is a single statement, shared with concurrent
   * callers: by far the cheapest way to write. So prefer it to `query` where no result is needed; take ids from `FlakeIds`.
   * Statements of the transaction do not see the row. If the insert fails, the transaction fails.
   *
   * @param table a table of the service. Like the names of the columns, never from input
   */
  insert(table: string, row: Row): void
  /**
   * Executes the statement together with the commit, which saves a round trip. For statements without a needed result. It
   * sees the rows of earlier calls of `insert`. If it fails, the transaction fails.
   */
  enqueueBeforeCommit(statement: Sql): void
  /** Calls `run` after the commit has succeeded. It must not throw. */
  afterCommit(run: () => void): void
  readonly [transactionBrand]: true
}

declare const transactionBrand: unique symbol

/** See `Database.transaction`. */
export function runTransaction<T>(
  connections: TransactionConnections,
  work: (tx: Transaction) => Promise<T>,
  caller: Cancelable,
): Promise<T> {
  return traceTransaction((span) => attemptTransactions({ ...connections, work, caller, span }))
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

/** What transactions use. */
export interface TransactionConnections {
  pool: Pick<ServerPool, 'connect'>
  groups: GroupCommit
  /** Called after the commit with the tables of the inserted rows. */
  notifyInserted(tables: ReadonlySet<string>): void
}

interface Attempt<T> extends TransactionConnections {
  work: (tx: Transaction) => Promise<T>
  caller: Cancelable
  span: Span | undefined
}

async function attemptTransaction<T>(attempt: Attempt<T>): Promise<T> {
  const session = createSession(attempt)
  const { tx, pending, afterCommit, end } = openTransaction(session, attempt)
  let broken: Error | undefined
  try {
    throwIfCanceled(attempt.caller)
    const result = await attempt.work(tx)
    end()
    const isDone = !session.isOpen() && (await insertInGroup(pending, attempt))
    if (!isDone) await commitSession(session, pending, attempt)
    for (const run of afterCommit) run()
    attempt.notifyInserted(new Set(pending.flatMap((one) => (isRow(one) ? [one.table] : []))))
    return result
  } catch (error) {
    end()
    broken = await session.rollBack(error)
    throw error
  } finally {
    session.release(broken)
  }
}

/** @returns true if the transaction consists of rows, which have been inserted */
async function insertInGroup<T>(pending: readonly Pending[], { groups, caller, span }: Attempt<T>): Promise<boolean> {
  if (!pending.every(isRow)) return false
  if (pending.length === 0) return true
  return traceInserts(pending, () => groups.insert(pending, caller), span)
}

async function commitSession<T>(session: Session, pending: readonly Pending[], { caller, span }: Attempt<T>) {
  const client = await session.open()
  // The commit is never canceled: Postgres would report success without waiting for its standby.
  session.unwatch()
  throwIfCanceled(caller)
  await commit(client, pending, span)
}

/** The connection of a transaction, which is taken from the pool when the first statement needs it. */
function createSession({ pool, caller }: Attempt<unknown>): Session {
  let opening: Promise<ServerConnection> | undefined
  let client: ServerConnection | undefined
  let unwatch = () => {}

  async function open(): Promise<ServerConnection> {
    client = await pool.connect()
    unwatch = closeOnAbort(caller, client)
    throwIfCanceled(caller)
    // NOTE `begin` is not pipelined with the first statement: if it failed, that statement would commit outside of a transaction.
    await client.query('begin')
    return client
  }

  return {
    isOpen: () => opening !== undefined,
    open() {
      opening ??= open()
      return opening
    },
    unwatch: () => unwatch(),
    async rollBack(error) {
      // The statement that opens it may not have been awaited.
      await opening?.catch(() => undefined)
      if (!client) return undefined
      unwatch()
      return errorIfBroken(error) ?? (await rollBack(client))
    },
    release: (broken) => client?.release(broken),
  }
}

function openTransaction(session: Session, { caller, span }: Attempt<unknown>): OpenTransaction {
  let open = true
  const pending: Pending[] = []
  const afterCommit: (() => void)[] = []
  function expectOpen(): void {
    if (!open) throw new Error('A statement was sent to a transaction that has ended.')
  }
  const tx = {
    async query(statement: Sql) {
      expectOpen()
      throwIfCanceled(caller)
      const client = await session.open()
      return await traceStatement(statement, async () => (await client.query(namedStatement(statement))).rows, span)
    },
    insert(table: string, row: Row) {
      expectOpen()
      pending.push({ table, row })
    },
    enqueueBeforeCommit(statement: Sql) {
      expectOpen()
      pending.push(statement)
    },
    afterCommit(run: () => void) {
      afterCommit.push(run)
    },
  } as Transaction
  return {
    tx,
    pending,
    afterCommit,
    end: () => {
      open = false
    },
  }
}

/** What a transaction sends with its commit, in order. */
type Pending = TableRow | Sql

function isRow(pending: Pending): pending is TableRow {
  return 'row' in pending
}

/** Adjacent rows become one statement. */
function inStatements(pending: readonly Pending[]): (TableRow[] | Sql)[] {
  const statements: (TableRow[] | Sql)[] = []
  for (const one of pending) {
    const last = statements.at(-1)
    if (!isRow(one)) statements.push(one)
    else if (Array.isArray(last)) last.push(one)
    else statements.push([one])
  }
  return statements
}

/** Sends a statement that inserts the rows, with a span for each table. */
function traceInserts<T>(rows: readonly TableRow[], send: () => Promise<T>, span: Span | undefined): Promise<T> {
  if (!span) return send()
  const tables = new Set(rows.map(({ table }) => table))
  return [...tables].reduce<() => Promise<T>>(
    (inner, table) => () => traceStatement({ text: `insert into ${table}` }, inner, span),
    send,
  )()
}

/**
 * Sends the remaining statements and the commit without waiting in between. If one fails, the commit becomes a rollback,
 * which Postgres reports without an error.
 */
async function commit(client: pg.PoolClient, pending: readonly Pending[], span: Span | undefined): Promise<void> {
  const send = (statement: Sql) => client.query(namedStatement(statement))
  const sent = inStatements(pending).map((one) =>
    Array.isArray(one)
      ? traceInserts(one, () => send(insertStatement(one)), span)
      : traceStatement(one, () => send(one), span),
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
  pending: readonly Pending[]
  afterCommit: readonly (() => void)[]
  /** Rejects further statements. */
  end(): void
}

interface Session {
  isOpen(): boolean
  /** Returns the connection, in a transaction that has begun. */
  open(): Promise<ServerConnection>
  /** From now on, the caller's leaving does not end it. */
  unwatch(): void
  /** @returns the error if the connection must not be used again */
  rollBack(cause: unknown): Promise<Error | undefined>
  release(broken: Error | undefined): void
}
