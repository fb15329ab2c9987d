import { SetupError } from '../../bootstrap/setup-error.mjs'

/** The next file name: a four-digit number and the name of the migration. */
export function nextMigrationName(existing: readonly string[], name: string): string {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new SetupError(
      `"${name}" is not a valid migration name. Use lower-case letters, digits and hyphens, as in add-store-notes.`,
    )
  }
  const numbers = existing.map((file) => Number(/^(\d{4})-.*\.(sql|ts)$/.exec(file)?.[1] ?? 0))
  const next = Math.max(0, ...numbers) + 1
  return `${String(next).padStart(4, '0')}-${name}.sql`
}

export function migrationText(name: string): string {
  return `-- ${name.replaceAll('-', ' ')}. Forward only; must work with the running version of the code and with the next one.
-- An index on a table with rows needs a file that contains only statements such as
-- create index concurrently if not exists <name> on <table> (<columns>);
`
}
