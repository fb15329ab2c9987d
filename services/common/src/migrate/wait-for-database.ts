import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { formatHosts, parseDatabaseUrl } from '../config/index.ts'
import type { Logger } from '../log/index.ts'
import { isOutage, withClient } from '../postgres/index.ts'

/**
 * Waits until the database accepts a connection, so that migrations can start at the same time as the server. Of several
 * hosts in the URL, one must be usable; see `createServers`.
 *
 * @param maxWaitMs how long to wait
 * @throws Error immediately if waiting cannot help, such as for rejected credentials; after `maxWaitMs` an error that names
 * the server, with the last failure as its cause
 */
export async function waitForDatabase(url: string, log: Logger, maxWaitMs = 120_000): Promise<void> {
  const end = performance.now() + maxWaitMs
  const server = formatHosts(parseDatabaseUrl(url))
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await withClient({ url, connectMs: 5000 }, async () => {})
    } catch (error) {
      if (!isOutage(error) || isRejected(error)) throw error
      if (performance.now() >= end)
        throw new Error(`The database at ${server} does not accept connections.`, { cause: error })
      if (isFirst) log.warn({ err: error, address: server }, 'waiting for the database')
    }
    await setTimeout(1000)
  }
}

/** SQLSTATE class 28: unknown role or wrong password. */
function isRejected(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isRejected)
  return error instanceof pg.DatabaseError && error.code?.startsWith('28') === true
}
