import sql, { raw } from 'sql-template-tag'
import { expect } from 'vitest'
import { createLogger } from '../src/log/index.ts'
import { createDatabase } from '../src/postgres/index.ts'

/**
 * Locks a table until `release`. Calls that read or change it stay in flight, for up to the 2 s that a service waits for
 * a lock.
 * @param databaseUrl connects as the table's owner
 */
export async function lockTable(databaseUrl: string, table: string): Promise<TableLock> {
  const log = createLogger({ service: 'test', level: 'silent' })
  const database = createDatabase({ url: databaseUrl, applicationName: 'test', log })
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const over = database.transaction(async (tx) => {
    await tx.query(sql`lock table ${raw(table)} in access exclusive mode`)
    locked.resolve()
    await released.promise
  })
  await Promise.race([locked.promise, over])
  return {
    async awaited() {
      const waiting = async () =>
        (
          await database.query(sql`
          select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
        ).length
      await expect.poll(waiting, { interval: 5, timeout: 60_000 }).toBeGreaterThan(0)
    },
    async release() {
      released.resolve()
      await over
      await database.close()
    },
  }
}

export interface TableLock {
  /** Resolves when a statement waits for the lock. */
  awaited(): Promise<void>
  release(): Promise<void>
}
