import {
  type Audit,
  auditColumns,
  type Columns,
  insertInto,
  lockName,
  type Queryable,
  rowOf,
  selectColumns,
  setColumns,
  type Transaction,
} from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { type GlobalCommand, type GlobalCommandState, globalCommandFields } from '../domain/global-command.ts'

/** A global command as the repository returns it. Ids are int8 and therefore strings. */
export interface GlobalCommandRow extends GlobalCommand, Audit {}

type StoredCommand = Omit<GlobalCommandRow, 'delaySeconds' | 'requiredSlots'>

/** A command to insert. */
export type NewGlobalCommand = GlobalCommandState & Pick<GlobalCommandRow, 'storeId' | 'createdBy' | 'createdAt'>

export async function insertGlobalCommand(tx: Transaction, command: NewGlobalCommand): Promise<GlobalCommandRow> {
  const { storeId, createdBy, createdAt } = command
  const values = {
    store_id: storeId,
    ...rowOf(globalCommandFields, command),
    created_by: createdBy,
    created_at: createdAt,
  }
  const [row] = await tx.query<StoredCommand>(
    sql`${insertInto('global_command', [values])} returning ${globalCommandColumns}`,
  )
  if (!row) throw new Error('an insert returned no row')
  return toRow(row)
}

/** All commands of the store in the order in which they run, oldest first. */
export async function selectGlobalCommands(db: Queryable, storeId: string): Promise<GlobalCommandRow[]> {
  const rows = await db.query<StoredCommand>(
    sql`select ${globalCommandColumns} from global_command where store_id = ${storeId} order by id`,
  )
  return rows.map(toRow)
}

/** The game servers among these that the store does not have. */
export async function findUnknownServers(db: Queryable, storeId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.query<{ id: string }>(sql`
    select id from game_server where store_id = ${storeId} and id = any(${ids}::bigint[])`)
  const known = new Set(rows.map(({ id }) => id))
  return new Set(ids.filter((id) => !known.has(id)))
}

/** Locks the command until the transaction ends. */
export async function lockGlobalCommand(
  tx: Transaction,
  storeId: string,
  id: string,
): Promise<GlobalCommandRow | undefined> {
  const [row] = await tx.query<StoredCommand>(sql`
    select ${globalCommandColumns} from global_command where store_id = ${storeId} and id = ${id} for no key update`)
  return row && toRow(row)
}

/** Writes the terms of a command that the transaction has locked, and increments its version. */
export async function updateGlobalCommandState(
  tx: Transaction,
  { storeId, id }: GlobalCommandRow,
  state: GlobalCommandState,
  { updatedBy, updatedAt }: { updatedBy: string; updatedAt: Date },
): Promise<GlobalCommandRow> {
  const values = { ...rowOf(globalCommandFields, state), updated_by: updatedBy, updated_at: updatedAt }
  const [row] = await tx.query<StoredCommand>(sql`
    update global_command set ${setColumns(values)}, version = version + 1 where store_id = ${storeId} and id = ${id}
    returning ${globalCommandColumns}`)
  if (!row) throw new Error('a locked global command has disappeared')
  return toRow(row)
}

/** @returns whether there was one */
export async function deleteGlobalCommandRow(tx: Transaction, storeId: string, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from global_command where store_id = ${storeId} and id = ${id} returning 1`)
  return rows.length > 0
}

/** Serializes the creation of commands of a store, so that their number never exceeds the limit. */
export async function lockGlobalCommandsOf(tx: Transaction, storeId: string): Promise<void> {
  await lockName(tx, `global commands of ${storeId}`)
}

function toRow(row: StoredCommand): GlobalCommandRow {
  return { ...row, delaySeconds: 0, requiredSlots: 0 }
}

const globalCommandColumns = selectColumns({
  id: 'id',
  storeId: 'store_id',
  ...globalCommandFields,
  ...auditColumns,
} as const satisfies Columns<keyof StoredCommand>)
