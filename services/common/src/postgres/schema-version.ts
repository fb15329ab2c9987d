import { readdir } from 'node:fs/promises'
import sql from 'sql-template-tag'
import { baseDirectory, baseMigrationsTable, migrationsTable } from './run-migrations.ts'
import type { Queryable } from './transaction.ts'

/**
 * Resolves when every migration that this build knows has been applied; a schema that is newer is fine, since
 * changes are made so that the release before keeps working. Part of readiness: a pod of a new release takes no
 * calls until the migrations job is done.
 *
 * @throws Error naming the first migration that is missing
 */
export async function requireSchemaVersion(database: Queryable, directory: string): Promise<void> {
  await requireMigrations(database, baseDirectory, baseMigrationsTable)
  await requireMigrations(database, directory, migrationsTable)
}

async function requireMigrations(database: Queryable, directory: string, table: string): Promise<void> {
  const applied = await appliedMigrations(database, table)
  for (const file of (await readdir(directory)).sort()) {
    if (!file.endsWith('.sql')) continue
    const name = file.slice(0, -'.sql'.length)
    if (!applied.has(name))
      throw new Error(`The database schema is older than this build: ${name} has not been applied.`)
  }
}

async function appliedMigrations(database: Queryable, table: string): Promise<Set<string>> {
  const [home] = await database.query<{ exists: boolean }>(sql`select to_regclass(${table}) is not null as exists`)
  if (!home?.exists) return new Set()
  const rows =
    table === migrationsTable
      ? await database.query<{ name: string }>(sql`select name from schema_migration`)
      : await database.query<{ name: string }>(sql`select name from base_schema_migration`)
  return new Set(rows.map(({ name }) => name))
}
