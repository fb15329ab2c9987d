import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import type { Queryable } from './transaction.ts'

/**
 * Verifies that all migrations of this build have been applied. Newer schemas are fine, since migrations keep the previous
 * release working. Part of readiness: pods of a new release receive no calls before the migrations job has finished.
 *
 * @throws Error that names the first missing migration
 */
export async function requireSchemaVersion(database: Queryable, directory: string): Promise<void> {
  const missing = await findMissingMigration(database, directory)
  if (missing !== undefined)
    throw new Error(
      `The database schema is older than this build: ${missing} has not been applied. Run the migrations.`,
    )
}

/** The first migration of this build that has not been applied. */
export async function findMissingMigration(database: Queryable, directory: string): Promise<string | undefined> {
  return (
    (await findMissing(database, baseDirectory, baseMigrationsTable)) ??
    (await findMissing(database, directory, migrationsTable))
  )
}

/** The table of applied migrations of the service. */
export const migrationsTable = 'schema_migration'
/** The table of applied migrations that all services share. */
export const baseMigrationsTable = 'base_schema_migration'
export const baseDirectory = fileURLToPath(new URL('base-migrations', import.meta.url))

async function findMissing(database: Queryable, directory: string, table: string): Promise<string | undefined> {
  const applied = await appliedMigrations(database, table)
  return (await migrationsIn(directory)).find((name) => !applied.has(name))
}

/** The names of a folder's migrations, in their order. */
export async function migrationsIn(directory: string): Promise<string[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql'))
  return files.map((file) => file.slice(0, -4)).sort()
}

async function appliedMigrations(database: Queryable, table: string): Promise<Set<string>> {
  const [found] = await database.query<{ exists: boolean }>(sql`select to_regclass(${table}) is not null as exists`)
  if (!found?.exists) return new Set()
  const rows =
    table === migrationsTable
      ? await database.query<{ name: string }>(sql`select name from schema_migration`)
      : await database.query<{ name: string }>(sql`select name from base_schema_migration`)
  return new Set(rows.map(({ name }) => name))
}
