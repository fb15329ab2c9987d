import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
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
  const missing = await findMissingMigration(database, await migrationsIn(directory))
  if (missing !== undefined)
    throw new Error(
      `The database schema is older than this build: ${missing} has not been applied. Run the migrations.`,
    )
}

/** The name of the first migration of this build that has not been applied. */
export async function findMissingMigration(
  database: Queryable,
  migrations: readonly Migration[],
): Promise<string | undefined> {
  const applied = new Set(await appliedMigrations(database))
  return migrations.find(({ name }) => !applied.has(name))?.name
}

/** The migrations of this build, in their order: first the tables that every service has, then the service's own. */
export async function migrationsIn(directory: string): Promise<Migration[]> {
  const folders = [
    { path: fileURLToPath(new URL('base-migrations', import.meta.url)), prefix: 'base/' },
    { path: directory, prefix: '' },
  ]
  const all = folders.map(async ({ path, prefix }) => {
    const files = (await readdir(path)).filter((file) => file.endsWith('.sql')).sort()
    return files.map((file) => ({ name: `${prefix}${file.slice(0, -4)}`, file: join(path, file) }))
  })
  return (await Promise.all(all)).flat()
}

export async function appliedMigrations(database: Queryable): Promise<string[]> {
  const [found] = await database.query<{ exists: boolean }>(
    sql`select to_regclass('schema_migration') is not null as exists`,
  )
  if (!found?.exists) return []
  return (await database.query<{ name: string }>(sql`select name from schema_migration`)).map(({ name }) => name)
}

/** Whether it creates tables that every service has. */
export function isBase(name: string): boolean {
  return name.startsWith('base/')
}

export interface Migration {
  name: string
  /** The path of its statements. */
  file: string
}
