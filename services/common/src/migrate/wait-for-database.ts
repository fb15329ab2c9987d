import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../log/index.ts'
import { isOutage } from '../postgres/index.ts'

/**
 * Waits until the database takes a connection, so that migrations may start beside a server that is starting itself. Refused
 * credentials are no reason to wait.
 *
 * @throws Error what the first try met, where waiting is no help
 * @throws Error which server took no connection for two minutes, and what the last try met as its cause
 */
export async function waitForDatabase(url: string, log: Logger, longestWaitMs = 120_000): Promise<void> {
  const end = Date.now() + longestWaitMs
  const server = new URL(url).host
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await connectOnce(url)
    } catch (error) {
      if (!isOutage(error) || isRefused(error)) throw error
      if (Date.now() >= end) throw new Error(`The database at ${server} takes no connections.`, { cause: error })
      if (isFirst) log.warn({ err: error, address: server }, 'waiting for the database')
    }
    await setTimeout(1000)
  }
}

async function connectOnce(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } finally {
    await client.end()
  }
}

/** Class 28 of Postgres: there is no such role, or its password is another. */
function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('28') === true
}
