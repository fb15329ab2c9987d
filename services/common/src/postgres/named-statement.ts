import { createHash } from 'node:crypto'
import type { QueryConfig } from 'pg'
import type { Sql } from 'sql-template-tag'

/**
 * Converts a statement for `pg`, with a name so that Postgres parses and plans it once per connection. The name is a hash of
 * the text.
 *
 * NOTE Postgres keeps prepared statements until the connection ends, so after `maxNames` different texts further ones are
 * unnamed. Avoid texts that grow with their input, such as lists of `values`: use `= any($1)` and `unnest($1::…[])`.
 */
export function namedStatement(statement: Sql): QueryConfig<unknown[]> {
  const { text } = statement
  let name = names.get(text)
  if (name === undefined) {
    if (names.size >= maxNames) return { text, values: statement.values }
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    names.set(text, name)
  }
  return { name, text, values: statement.values }
}

const maxNames = 1000
/** Caches a pure function, so it is safe to share between databases and tests. */
const names = new Map<string, string>()
