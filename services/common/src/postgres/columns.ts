import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Row } from './insert-rows.ts'

/** The column of each field. Declare it with `satisfies`: a field without a column then does not compile. */
export type Columns<Field extends PropertyKey> = Readonly<Record<Field & string, string>>

/** The columns in a `select` or `returning`, named as their fields. */
export function selectColumns(columns: Columns<string>): Sql {
  return raw(
    Object.entries(columns)
      .map(([field, column]) => (field === column ? column : `${column} as "${field}"`))
      .join(', '),
  )
}

/** The values of the fields, by column. */
export function rowOf<Field extends string>(
  columns: Columns<Field>,
  values: Readonly<Record<NoInfer<Field>, unknown>>,
): Row {
  return Object.fromEntries(Object.entries<string>(columns).map(([field, column]) => [column, values[field as Field]]))
}

/** The assignments of an `update`. An array is the value of an array column, any other object the value of a jsonb column. */
export function setColumns(row: Row): Sql {
  return join(
    Object.entries(row).map(([column, value]) => sql`${raw(column)} = ${value}`),
    ', ',
  )
}

/** Who created and last changed a row. Versions are int8 and therefore strings. */
export interface Audit {
  /** See `actorText`. */
  createdBy: string
  createdAt: Date
  updatedBy: string | null
  updatedAt: Date | null
  version: string
}

export const auditColumns = {
  createdBy: 'created_by',
  createdAt: 'created_at',
  updatedBy: 'updated_by',
  updatedAt: 'updated_at',
  version: 'version',
} as const satisfies Columns<keyof Audit>

/** The audit fields of a new row. */
export const unchanged = { updatedBy: null, updatedAt: null, version: '1' } as const satisfies Partial<Audit>
