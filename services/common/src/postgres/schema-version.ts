import { readdir } from 'node:fs/promises'
import sql from 'sql-template-tag'
import { baseDirectory, baseMigrationsTable, migrationsTable } from './run-migrations.ts'
import type { Queryable } from './transaction.ts'

/**
 * Verifies that all migrations of this build have been applied. Newer schemas are fine, since migrations keep the previous
 * release working. Part of readiness: pods of a new release receive no calls before the migrations job has finished.
 *
 * @throws Error that names the first missing migration
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
  const [found] = await database.query<{ exists: boolean }>(sql`select to_regclass(${table}) is not null as exists`)
  if (!found?.exists) return new Set()
  const rows =
    table === migrationsTable
      ? await database.query<{ name: string }>(sql`select name from schema_migration`)
      : await database.query<{ name: string }>(sql`select name from base_schema_migration`)
  return new Set(rows.map(({ name }) => name))
}
