import sql from 'sql-template-tag'
import { cellOf } from '../flake/index.ts'
import type { Queryable } from './transaction.ts'

/**
 * Verifies that the schema creates ids of this cell (decision 0039). Otherwise two cells would create the same ids, or a
 * process would reject the stores that its own schema creates.
 *
 * @returns false if the schema has no ids yet, because it was not migrated
 * @throws WrongCellError if the schema was created for another cell
 */
export async function requireCell(database: Queryable, cell: number): Promise<boolean> {
  const [known] = await database.query<{ exists: boolean }>(
    sql`select to_regprocedure('flake_id()') is not null as exists`,
  )
  if (!known?.exists) return false
  const [row] = await database.query<{ id: string }>(sql`select flake_id() as id`)
  const actual = row && cellOf(row.id)
  if (actual === cell) return true
  throw new WrongCellError(
    `CELL is ${cell}, but the database was created for cell ${actual}. Set CELL=${actual}, or change DATABASE_URL.`,
  )
}

/** The process would create or serve the records of another cell. Only other settings help. */
export class WrongCellError extends Error {
  override readonly name = 'WrongCellError'
}
