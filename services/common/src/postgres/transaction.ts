import type pg from 'pg'
import type { Sql } from 'sql-template-tag'
import type { Transaction } from './database.ts'
import { namedStatement } from './named-statement.ts'
import { breaksConnection, isRetryable, translateError } from './postgres-errors.ts'
import { inOneWrite, queryAfterBegin } from './wire.ts'

/** See `Database.transaction`. */
export async function runTransaction<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTransaction(pool, work)
    } catch (error) {
      if (attempt > maxRetries || !isRetryable(error)) throw translateError(error)
      // Random, so that the transactions that met once do not meet again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
    }
  }
}

const maxRetries = 3

async function attemptTransaction<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const attempt = openTransaction(client)
  let broken: Error | undefined
  try {
    const result = await work(attempt.tx)
    await attempt.commit()
    return result
  } catch (error) {
    broken = breaksConnection(error) ? asError(error) : await attempt.rollBack()
    throw error
  } finally {
    client.release(broken)
  }
}

function openTransaction(client: pg.PoolClient): Attempt {
  let state: 'new' | 'open' | 'ended' = 'new'
  let begun: Promise<unknown> = Promise.resolve()
  const withCommit: Sql[] = []
  const callbacks: (() => void)[] = []

  async function query(statement: Sql) {
    const config = namedStatement(statement)
    if (state === 'ended') throw new Error('A statement was sent to a transaction that has ended.')
    if (state === 'new') {
      state = 'open'
      const first = queryAfterBegin(client, config)
      begun = first
      return (await first).rows
    }
    // Not before there is a transaction for it to be in.
    await begun
    const { rows } = await client.query(config)
    return rows
  }

  const tx = {
    query,
    withCommit(statement: Sql) {
      if (state === 'ended') throw new Error('A statement was sent to a transaction that has ended.')
      withCommit.push(statement)
    },
    afterCommit(run: () => void) {
      callbacks.push(run)
    },
  } as Transaction

  return {
    tx,
    async commit() {
      if (state === 'new') {
        const first = withCommit.shift()
        if (first) await query(first)
      }
      const isOpen = state === 'open'
      await begun
      state = 'ended'
      if (isOpen) await commitWith(client, withCommit)
      for (const run of callbacks) run()
    },
    async rollBack() {
      const isOpen = state !== 'new'
      state = 'ended'
      if (!isOpen) return undefined
      try {
        await client.query('rollback')
        return undefined
      } catch (error) {
        return asError(error)
      }
    },
  }
}

/**
 * Sends the last statements and the commit at once. Should one of them fail, the commit is a rollback: Postgres
 * answers the commit of a failed transaction so, and without an error.
 */
async function commitWith(client: pg.PoolClient, statements: readonly Sql[]): Promise<void> {
  const [committed, ...others] = await Promise.allSettled(
    inOneWrite(client, () => {
      const sent = statements.map((statement) => client.query(namedStatement(statement)))
      return [client.query('commit'), ...sent]
    }),
  )
  for (const outcome of others) if (outcome.status === 'rejected') throw outcome.reason
  if (committed === undefined || committed.status === 'rejected') throw committed?.reason
  if (committed.value.command !== 'COMMIT') {
    throw new Error('The transaction had a failed statement and was rolled back.')
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

interface Attempt {
  tx: Transaction
  commit(): Promise<void>
  /** @returns why the connection cannot be used again, if so */
  rollBack(): Promise<Error | undefined>
}
