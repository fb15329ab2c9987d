import sql, { join, raw, type Sql } from 'sql-template-tag'
import { limitLockWait } from './time-limits.ts'

/**
 * A row to insert, by column name. Absent columns get their default. Values are JSON values (arrays for array columns, anything
 * for jsonb), dates, bigints and bytes.
 */
export type Row = Readonly<Record<string, unknown>>

/** A row with its table. */
export interface TableRow {
  table: string
  row: Row
}

/**
 * An insert of rows with the same columns. Its text depends only on the table and the columns, so it is prepared once. Callers
 * may append `on conflict` and `returning`.
 */
export function insertInto(table: string, rows: readonly Row[]): Sql {
  const columns = raw(Object.keys(rows[0] ?? {}).join(', '))
  const values = JSON.stringify(rows.map(jsonOf))
  return sql`insert into ${raw(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${raw(table)}, ${values}::json)`
}

/**
 * Creates one statement that inserts any number of rows into one or more tables, all or none. Foreign keys between the rows
 * are checked at its end. The order of the tables is always the same, so that concurrent statements lock in the same order, and
 * the text does not depend on which rows came first.
 */
export function insertStatement(rows: readonly TableRow[]): Sql {
  return sql`with ${join(insertsOf(rows))} select`
}

/**
 * Like `insertStatement`, but the statement fails as soon as it waits for a lock for `lockMs`. It must not be part of a
 * transaction, whose remaining statements would have the limit, too. Setting it costs no round trip and needs no session.
 */
export function impatientInsertStatement(rows: readonly TableRow[], lockMs: number): Sql {
  // The inserts read its row, so they start after it.
  const limit = sql`lock_limit as materialized (${limitLockWait(lockMs)})`
  return sql`with ${join([limit, ...insertsOf(rows, ', lock_limit')])} select`
}

function insertsOf(rows: readonly TableRow[], alsoReads = ''): Sql[] {
  const shapes = Map.groupBy(rows, ({ table, row }) => `${table} ${Object.keys(row)}`)
  const inOrder = [...shapes].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return inOrder.map(([, all], index) => {
    const statement = insertInto(
      all[0]?.table ?? '',
      all.map(({ row }) => row),
    )
    return sql`rows_${raw(String(index))} as (${statement}${raw(alsoReads)})`
  })
}

/** Postgres converts the JSON value of a column as if it were its text. */
function jsonOf(row: Row): Record<string, unknown> {
  const json: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) json[column] = jsonValue(value)
  return json
}

function jsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) {
    return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
  }
  return value
}
