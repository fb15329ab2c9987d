import { createHash } from 'node:crypto'
import type { QueryConfig } from 'pg'
import type { Sql } from 'sql-template-tag'

/**
 * A statement as `pg` takes it, named so that Postgres parses and plans it once per connection. The name is a hash
 * of the text: the same statement has the same name in every process.
 *
 * NOTE Postgres keeps every name until its connection ends. A statement whose text grows with its input (a list of
 * `values`, say) would fill it, so past `maxNames` different texts the rest go unnamed; write `= any($1)` and
 * `unnest($1::…[])` instead.
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
/** A cache of a pure function, so sharing it between databases and tests is harmless. */
const names = new Map<string, string>()
