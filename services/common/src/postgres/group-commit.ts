import pg from 'pg'
import { type Cancelable, throwIfCanceled } from './cancellation.ts'
import { impatientInsertStatement, type TableRow } from './insert-rows.ts'
import { namedStatement } from './named-statement.ts'
import { errorIfBroken } from './postgres-errors.ts'

/**
 * Commits the rows of concurrent callers with one statement, which costs a fraction of a transaction each. Callers wait at
 * most for the groups in flight; a caller that finds none is served immediately.
 *
 * If the statement of several callers fails, all of it is rolled back, and it is repeated in eight parts. So every caller gets its
 * own error, and one conflict among 64 callers costs 16 statements. If it waited for a lock, each caller inserts its rows in
 * a separate transaction instead, so that a lock delays others by `lockMs` at most.
 *
 * @param pool its size is the number of groups in flight
 */
export function createGroupCommit(pool: GroupPool): GroupCommit {
  let waiting: Entry[] = []
  /** Groups that were part of a failed one. */
  const parts: Entry[][] = []
  let inFlight = 0
  let isScheduled = false

  /** Starts after the event loop has handled all requests that have arrived. */
  function schedule(): void {
    if (isScheduled || inFlight >= pool.max) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      // While Postgres hangs, groups end more slowly than callers leave.
      waiting = waiting.filter((entry) => !rejectCanceled(entry))
      while (inFlight < pool.max) {
        const group = parts.shift() ?? takeGroup(waiting)
        if (group.length === 0) break
        void commitGroup(group)
      }
    })
  }

  async function commitGroup(group: readonly Entry[]): Promise<void> {
    inFlight += 1
    try {
      const failed = await insertAll(pool, group)
      parts.push(...chunkByCount(failed, Math.ceil(failed.length / partCount)))
    } finally {
      inFlight -= 1
      if (waiting.length + parts.length > 0) schedule()
    }
  }

  return {
    insert: (rows, caller) =>
      new Promise((resolve, reject) => {
        waiting.push({ rows, bytes: bytesOf(rows), caller, resolve, reject })
        schedule()
      }),
  }
}

/** How long a group may wait for a lock. */
const lockMs = 100
const maxEntries = 64
const partCount = 8
const maxBytes = 1024 * 1024

/**
 * Never rejects: reports to the entries.
 * @returns those to repeat in parts, because their statement was rolled back
 */
async function insertAll(pool: GroupPool, group: readonly Entry[]): Promise<readonly Entry[]> {
  let client: pg.PoolClient | undefined
  let broken: Error | undefined
  let entries = group
  try {
    client = await pool.connect()
    // Last, because nothing cancels the statement: an aborted commit could be reported as a success.
    entries = group.filter((entry) => !rejectCanceled(entry))
    const rows = entries.flatMap((entry) => entry.rows)
    if (rows.length > 0) await client.query(namedStatement(impatientInsertStatement(rows, lockMs)))
    for (const { resolve } of entries) resolve(true)
  } catch (error) {
    broken = errorIfBroken(error)
    const isShared = entries.length > 1
    const canRunAlone = isRolledBack(error) && (isLockTimeout(error) || (isShared && isStatementTimeout(error)))
    if (isRolledBack(error) && isShared && !canRunAlone) return entries
    for (const { resolve, reject } of entries) {
      if (canRunAlone) resolve(false)
      else reject(error)
    }
  } finally {
    client?.release(broken)
  }
  return []
}

function chunkByCount(entries: readonly Entry[], size: number): Entry[][] {
  const chunks: Entry[][] = []
  for (let from = 0; from < entries.length; from += size) chunks.push(entries.slice(from, from + size))
  return chunks
}

function takeGroup(waiting: Entry[]): Entry[] {
  let count = 0
  let bytes = 0
  for (const entry of waiting) {
    bytes += entry.bytes
    if (count === maxEntries || (count > 0 && bytes > maxBytes)) break
    count += 1
  }
  return waiting.splice(0, count)
}

function rejectCanceled({ caller, reject }: Entry): boolean {
  try {
    throwIfCanceled(caller)
    return false
  } catch (error) {
    reject(error)
    return true
  }
}

/** Size of the binary values; events dominate. */
function bytesOf(rows: readonly TableRow[]): number {
  let bytes = 0
  for (const { row } of rows) {
    for (const value of Object.values(row)) if (value instanceof Uint8Array) bytes += value.length
  }
  return bytes
}

/** False if the connection or the server ended: the statement may have been committed. */
function isRolledBack(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(08|57P|58|XX)/.test(error.code ?? '08')
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03'
}

function isStatementTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014'
}

export interface GroupCommit {
  /**
   * Inserts the rows of one caller, all or none.
   * @returns false if they were not inserted because of a lock or a timeout: insert them in a transaction
   * @throws pg.DatabaseError, or an error of the connection, after which the outcome is unknown
   */
  insert(rows: readonly TableRow[], caller: Cancelable): Promise<boolean>
}

interface GroupPool {
  connect(): Promise<pg.PoolClient>
  /** Its number of connections. */
  max: number
}

interface Entry {
  rows: readonly TableRow[]
  bytes: number
  caller: Cancelable
  resolve(isInserted: boolean): void
  reject(error: unknown): void
}
