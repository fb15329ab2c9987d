import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { VariableState } from '../domain/custom-variable.ts'
import { writeOptions } from './option-repository.ts'
import { type CustomVariableOwnRow, type CustomVariableRow, ownColumns, variableColumns } from './schema.ts'

/** What is written when a variable is made. */
export interface NewCustomVariable extends VariableState {
  storeId: string
  createdBy: string
  createdAt: Date
}

export async function insertCustomVariable(tx: Transaction, variable: NewCustomVariable): Promise<CustomVariableRow> {
  const { storeId, identifier, name, description, type, valueRegex, options, createdBy, createdAt } = variable
  const [row] = await tx.query<CustomVariableOwnRow>(sql`
    insert into custom_variable (
      store_id, identifier, name, description, type, value_regex, created_by, created_at
    ) values (
      ${storeId}, ${identifier}, ${name}, ${description}, ${type}, ${valueRegex}, ${createdBy}, ${createdAt}
    ) returning ${ownColumns}`)
  if (!row) throw new Error('An insert answered no row.')
  return { ...row, options: await writeOptions(tx, row, options) }
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

/** Those of the ids that the store has, in no order. */
export async function findCustomVariables(
  db: Queryable,
  storeId: string,
  ids: readonly string[],
): Promise<CustomVariableRow[]> {
  return await db.query<CustomVariableRow>(sql`
    select ${variableColumns} from custom_variable where store_id = ${storeId} and id = any(${ids}::bigint[])`)
}

/** All of the store, the newest first. */
export async function selectCustomVariables(db: Queryable, storeId: string): Promise<CustomVariableRow[]> {
  return await db.query<CustomVariableRow>(sql`
    select ${variableColumns} from custom_variable where store_id = ${storeId} order by id desc`)
}

/** The variable, which nobody else changes until the transaction ends. */
export async function lockCustomVariable(
  tx: Transaction,
  storeId: string,
  id: string,
): Promise<CustomVariableRow | undefined> {
  // NOTE Two statements: one that waited for its lock would answer the new row with the options from before.
  await tx.query(sql`select 1 from custom_variable where store_id = ${storeId} and id = ${id} for no key update`)
  return await findCustomVariable(tx, storeId, id)
}

/** Writes the state of a variable that the transaction has locked, and raises its version. */
export async function updateVariableState(
  tx: Transaction,
  before: CustomVariableRow,
  state: VariableState,
  { updatedBy, updatedAt }: { updatedBy: string; updatedAt: Date },
): Promise<CustomVariableRow> {
  const { storeId, id } = before
  const { identifier, name, description, type, valueRegex, options } = state
  const [row] = await tx.query<CustomVariableOwnRow>(sql`
    update custom_variable set
      identifier = ${identifier}, name = ${name}, description = ${description}, type = ${type},
      value_regex = ${valueRegex}, updated_by = ${updatedBy}, updated_at = ${updatedAt}, version = version + 1
    where store_id = ${storeId} and id = ${id}
    returning ${ownColumns}`)
  if (!row) throw new Error('A locked custom variable vanished.')
  if (options === before.options) return { ...row, options: before.options }
  await tx.query(sql`
    delete from custom_variable_option where store_id = ${storeId} and custom_variable_id = ${id}`)
  return { ...row, options: await writeOptions(tx, row, options) }
}

/** With its options. */
export async function deleteLockedCustomVariable(tx: Transaction, { storeId, id }: CustomVariableRow): Promise<void> {
  await tx.query(sql`delete from custom_variable where store_id = ${storeId} and id = ${id}`)
}
