import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Logger } from '../log/index.ts'

export interface MigrationOptions {
  /** Connects as the service's own role, which owns the schema. */
  url: string
  schema: string
  /** Holds the service's `NNNN-name.sql`, forward only. An absolute path. */
  directory: string
  /** The service's part of every flake id, 0 to 1023; never changed and never shared with another service. */
  nodeNumber: number
  log: Logger
}

/**
 * Brings a schema up to date: first the tables that every service has (flake ids, outbox, idempotency records, dead
 * letters), then the service's own migrations. Each file runs in its own transaction and is recorded, so a second
 * run does nothing. Several runs at once wait for each other. A statement that has to wait 2 s for a lock fails the
 * run instead of holding up the live system behind it; running again goes on where it stopped.
 */
export async function runMigrations(options: MigrationOptions): Promise<void> {
  const { url, schema, directory, nodeNumber, log } = options
  if (!Number.isInteger(nodeNumber) || nodeNumber < 0 || nodeNumber > 1023) {
    throw new RangeError(`The node number of schema ${schema} must be from 0 to 1023.`)
  }
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  await client.connect()
  try {
    // Taken before lock_timeout is set, so that a second runner waits for the first instead of failing.
    await client.query(`select pg_advisory_lock(hashtextextended('storekeep.migrations.' || $1, 0))`, [schema])
    await client.query(`select set_config('lock_timeout', '2s', false)`)
    await client.query(`select set_config('storekeep.node_number', $1, false)`, [String(nodeNumber)])
    await apply(client, schema, baseDirectory, baseMigrationsTable, log)
    await apply(client, schema, directory, migrationsTable, log)
  } finally {
    // Ends the session, and with it the lock.
    await client.end()
  }
}

/** Records which of the service's own migrations have run. */
export const migrationsTable = 'schema_migration'
/** Records which of the migrations that all services share have run. */
export const baseMigrationsTable = 'base_schema_migration'
export const baseDirectory = fileURLToPath(new URL('base-migrations', import.meta.url))

async function apply(client: pg.Client, schema: string, directory: string, table: string, log: Logger): Promise<void> {
  // Loaded here alone: a process that leaves the migrations to a job does without it.
  const { runner } = await import('node-pg-migrate')
  const applied = await runner({
    dbClient: client,
    schema: [schema, 'public'],
    migrationsTable: table,
    dir: directory,
    direction: 'up',
    singleTransaction: false,
    noLock: true,
    verbose: false,
    logger: silent,
  })
  for (const { name } of applied) log.info({ schema, migration: name }, 'migration applied')
}

/** The runner throws what went wrong, so its own lines would only say it twice. */
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore }

function ignore(): void {}
