import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../log/index.ts'
import { isOutage } from '../postgres/index.ts'

/**
 * Waits until the database takes a connection, so that migrations may start beside a server that is starting itself. Refused
 * credentials are no reason to wait.
 *
 * @throws Error what the last try met, after two minutes or at once when waiting is no help
 */
export async function waitForDatabase(url: string, log: Logger): Promise<void> {
  const end = Date.now() + longestWaitMs
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await connectOnce(url)
    } catch (error) {
      if (!isOutage(error) || isRefused(error) || Date.now() >= end) throw error
      if (isFirst) log.warn({ err: error }, 'waiting for the database')
    }
    await setTimeout(1000)
  }
}

const longestWaitMs = 120_000

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
