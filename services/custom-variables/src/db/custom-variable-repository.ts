import { expectRow, type Queryable, rowOf, setColumns, type Transaction, unchanged } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { VariableState } from '../domain/custom-variable.ts'
import { writeOptions } from './option-repository.ts'
import {
  baseColumns,
  type CustomVariableBaseRow,
  type CustomVariableRow,
  stateColumns,
  variableColumns,
  variableTable,
} from './schema.ts'

/** A custom variable to insert. */
export type NewCustomVariable = Omit<CustomVariableRow, keyof typeof unchanged>

/** Inserts the variable with the commit, which fails if the identifier is taken; see `uniqueIdentifier`. @returns the row */
export function insertCustomVariable(tx: Transaction, variable: NewCustomVariable): CustomVariableRow {
  const { id, storeId, options } = variable
  const row = { ...variable, ...unchanged }
  tx.insert('custom_variable', rowOf(variableTable, row))
  options.forEach((option, position) => {
    tx.insert('custom_variable_option', {
      id: option.id,
      store_id: storeId,
      custom_variable_id: id,
      name: option.name,
      value: option.value,
      price: option.price,
      price_type: option.priceType,
      is_default: option.isDefault,
      sort_order: position,
    })
  })
  return row
}

export async function findCustomVariable(
  db: Queryable,
  storeId: string,
  id: string,
): Promise<CustomVariableRow | undefined> {
  const [row] = await db.query<CustomVariableRow>(sql`
    select ${variableColumns} from custom_variable where store_id = ${storeId} and id = ${id}`)
  return row
}

/** The variables of the store that have one of the ids, in no particular order. */
export async function findCustomVariables(
  db: Queryable,
  storeId: string,
  ids: readonly string[],
): Promise<CustomVariableRow[]> {
  return await db.query<CustomVariableRow>(sql`
    select ${variableColumns} from custom_variable where store_id = ${storeId} and id = any(${ids}::bigint[])`)
}

/** All variables of the store, newest first. */
export async function selectCustomVariables(db: Queryable, storeId: string): Promise<CustomVariableRow[]> {
  return await db.query<CustomVariableRow>(sql`
    select ${variableColumns} from custom_variable where store_id = ${storeId} order by id desc`)
}

/** Reads the variable and locks it until the transaction ends. */
export async function lockCustomVariable(
  tx: Transaction,
  storeId: string,
  id: string,
): Promise<CustomVariableRow | undefined> {
  // Two statements: a single statement that waits for the lock would return the new row with the old options.
  await tx.query(sql`select 1 from custom_variable where store_id = ${storeId} and id = ${id} for no key update`)
  return await findCustomVariable(tx, storeId, id)
}

/** Writes the state of a locked variable and increments its version. */
export async function updateVariableState(
  tx: Transaction,
  before: CustomVariableRow,
  state: VariableState,
  { updatedBy, updatedAt }: { updatedBy: string; updatedAt: Date },
): Promise<CustomVariableRow> {
  const { storeId, id } = before
  const { options } = state
  const values = { ...rowOf(stateColumns, state), updated_by: updatedBy, updated_at: updatedAt }
  const rows = await tx.query<CustomVariableBaseRow>(sql`
    update custom_variable set ${setColumns(values)}, version = version + 1
    where store_id = ${storeId} and id = ${id}
    returning ${baseColumns}`)
  const row = expectRow(rows)
  if (options === before.options) return { ...row, options: before.options }
  await tx.query(sql`
    delete from custom_variable_option where store_id = ${storeId} and custom_variable_id = ${id}`)
  return { ...row, options: await writeOptions(tx, row, options) }
}

/** Deletes the variable; its options follow by cascade. */
export async function deleteLockedCustomVariable(tx: Transaction, { storeId, id }: CustomVariableRow): Promise<void> {
  await tx.query(sql`delete from custom_variable where store_id = ${storeId} and id = ${id}`)
}
