import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import sql from 'sql-template-tag'
import { nodeNumberOf } from '../flake/index.ts'
import type { Logger } from '../log/index.ts'
import { concurrentStatements, runConcurrently } from './concurrent-indexes.ts'
import { requireCell } from './require-cell.ts'
import { appliedMigrations, findMissingMigration, isBase, type Migration, migrationsIn } from './schema-version.ts'
import { withClient } from './servers.ts'
import { setTimeLimits } from './time-limits.ts'
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
  /** How long an index that is created concurrently waits for other transactions to end. Default: five minutes */
  indexWaitMs?: number
  log: Logger
}

/**
 * Migrates a schema: first the tables that every service has (flake ids, outbox, idempotency records, dead letters), then
 * the migrations of the service. Each file runs once, in a separate transaction. Concurrent runs wait for each other. A
 * statement that waits 2 s for a lock fails, so that it does not block the live system; run again to continue. A file that creates
 * indexes `concurrently` runs outside of a transaction, see `concurrentStatements`.
 *
 * Sets the role's time limits, too. Everything else that it sets and locks ends with a transaction, so the server may be a
 * pooler in transaction mode, and a run that is killed leaves nothing behind.
 *
 * @throws RangeError for an invalid node number; Error if the schema was created for another cell; otherwise the error of the
 * failed migration
 */
export async function runMigrations(options: MigrationOptions): Promise<void> {
  const { url, schema, directory, cell, log } = options
  const nodeNumber = nodeNumberOf(cell, options.nodeNumber)
  // Generous: on a busy machine, a process that is still loading its code handles the connection late.
  await withClient({ url, connectMs: 30_000 }, async (client) => {
    const database: Queryable = { query: async (statement) => (await client.query(statement)).rows }
    const run: Run = { ...options, client, database, nodeNumber }
    const limits = await inTransaction(run, async () => {
      const [session] = await database.query<{ role: string }>(sql`select session_user as role`)
      return await setTimeLimits(client, session?.role ?? '')
    })
    await requireCell(database, cell)
    const migrations = await migrationsIn(directory)
    if ((await findMissingMigration(database, migrations)) !== undefined) {
      await inTransaction(run, () =>
        client.query(
          'create table if not exists schema_migration (name text primary key, applied_at timestamptz not null)',
        ),
      )
      for (const migration of migrations) {
        if (await inTransaction(run, () => apply(run, migration)))
          log.info({ schema, migration: migration.name }, 'migration applied')
      }
    }
    if (limits.length > 0) {
      log.info({ schema, limits }, 'time limits set')
      // Its session started without them, and a pooler would give it to others.
      await client.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {})
    }
  })
}

/**
 * @returns false if it has already been applied
 * @throws Error if a later one has been applied, which may rely on the absence of this one
 */
async function apply(run: Run, { name, file }: Migration): Promise<boolean> {
  const { client, database, schema, cell, log } = run
  const applied = await appliedMigrations(database)
  if (applied.includes(name)) return false
  // Again, because a concurrent run may have created the schema for another cell.
  await requireCell(database, cell)
  if (applied.some((one) => one > name && isBase(one) === isBase(name)))
    throw new Error(`Migration ${name} of schema ${schema} is missing, but later ones were applied.`)
  const text = await readFile(file, 'utf8')
  const indexes = concurrentStatements(name, text)
  if (indexes) {
    log.info({ schema, migration: name }, 'creating indexes concurrently')
    // Outside of the open transaction, which excludes other runs and must have no snapshot: the statements would wait for it.
    await runConcurrently(indexes, { url: run.url, lockMs: run.indexWaitMs })
  } else await client.query(text)
  await database.query(sql`insert into schema_migration (name, applied_at) values (${name}, now())`)
  return true
}

/** Runs `work` in a transaction that excludes other runs. */
async function inTransaction<T>(run: Run, work: () => Promise<T>): Promise<T> {
  const { client, schema, nodeNumber } = run
  while (!(await begin(run))) {
    // Waiting within a statement would hold a snapshot, for which a run that creates an index concurrently would wait.
    await client.query('rollback')
    await sleep(100)
  }
  try {
    await client.query(`set local lock_timeout = '2s';
      set local search_path = ${pg.escapeIdentifier(schema)}, public;
      set local storekeep.node_number = ${nodeNumber}`)
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** @returns false if another run has a transaction open */
async function begin({ client, schema }: Run): Promise<boolean> {
  await client.query('begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
  const { rows } = await client.query<{ isLocked: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as "isLocked"',
    [`storekeep.migrations.${schema}`],
  )
  return rows[0]?.isLocked === true
}

interface Run extends MigrationOptions {
  client: pg.ClientBase
  database: Queryable
}
