import { SetupError } from '../../bootstrap/setup-error.mjs'

/** The file name that follows the existing ones: a number of four digits, then what the migration does. */
export function nextMigrationName(existing: readonly string[], name: string): string {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new SetupError(
      `"${name}" is no name for a migration: use small letters, digits and hyphens, as in add-store-notes.`,
    )
  }
  const numbers = existing.map((file) => Number(/^(\d{4})-.*\.(sql|ts)$/.exec(file)?.[1] ?? 0))
  const next = Math.max(0, ...numbers) + 1
  return `${String(next).padStart(4, '0')}-${name}.sql`
}

export function migrationText(name: string): string {
  return `-- ${name.replaceAll('-', ' ')}. Forward only; must fit the code that runs now and the code that comes with it.\n`
}
