import type pg from 'pg'
import { nodeNumberOf } from '../flake/index.ts'
import type { Logger } from '../log/index.ts'
import { requireCell } from './require-cell.ts'
import { baseDirectory, baseMigrationsTable, findMissingMigration, migrationsTable } from './schema-version.ts'
import { openClient } from './servers.ts'
import type { Queryable } from './transaction.ts'

export interface MigrationOptions {
  /** Contains the service's role, which owns the schema. May list several hosts. */
  url: string
  schema: string
  /** Absolute path of the folder with the service's `NNNN-name.sql` migrations. */
  directory: string
  /** The cell that the schema belongs to, 0 to 63. */
  cell: number
  /** Number of the service in the node number of its flake ids, 0 to 15. Unique per service; never change it. */
  nodeNumber: number
  log: Logger
}

/**
 * Migrates a schema: first the tables that every service has (flake ids, outbox, idempotency records, dead letters), then
 * the migrations of the service. Each file runs once, in a separate transaction. Concurrent runs wait for each other. A
 * statement that waits 2 s for a lock fails, so that it does not block the live system; run again to continue.
 *
 * @throws RangeError for an invalid node number; Error if the schema was created for another cell; otherwise the error of the failed migration
 */
export async function runMigrations(options: MigrationOptions): Promise<void> {
  const { url, schema, directory, cell, log } = options
  const nodeNumber = nodeNumberOf(cell, options.nodeNumber)
  // Generous: on a busy machine, a process that is still loading its code handles the connection late.
  const client = await openClient({ url, connectionTimeoutMillis: 30_000 })
  try {
    // Acquired before lock_timeout is set, so that a concurrent run waits instead of failing.
    await client.query(`select pg_advisory_lock(hashtextextended('storekeep.migrations.' || $1, 0))`, [schema])
    const database: Queryable = { query: async (statement) => (await client.query(statement)).rows }
    await requireCell(database, cell)
    if ((await findMissingMigration(database, directory)) === undefined) return
    await client.query(`select set_config('lock_timeout', '2s', false)`)
    await client.query(`select set_config('storekeep.node_number', $1, false)`, [String(nodeNumber)])
    await apply(client, schema, baseDirectory, baseMigrationsTable, log)
    await apply(client, schema, directory, migrationsTable, log)
  } finally {
    // Ends the session, which releases the lock.
    await client.end()
  }
}

async function apply(client: pg.Client, schema: string, directory: string, table: string, log: Logger): Promise<void> {
  // Loaded on demand, which takes 40 ms and 4 MB: most starts find nothing to do.
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

/** The runner also throws its errors, so its log would be redundant. */
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore }

function ignore(): void {}
