import { expectRow, type Queryable, rowOf, setColumns, type Transaction, unchanged } from '@storekeep/common/postgres'
import { foldText } from '@storekeep/proto/conventions/folded-text'
import sql from 'sql-template-tag'
import type { BanIdentity, BanState } from '../domain/ban.ts'
import { type BanRow, type BanTableRow, banColumns, banFields, banTable, banTableColumns } from './schema.ts'

/** A ban to insert. */
export type NewBan = Omit<BanRow, keyof typeof unchanged>

/** Inserts the ban with the commit. @returns the row */
export function insertBan(tx: Transaction, ban: NewBan): BanRow {
  const row = { ...ban, ...unchanged }
  tx.insert('ban', { ...rowOf(banTable, row), folded_reason: foldText(ban.reason) })
  insertIdentities(tx, ban, ban.identities)
  return row
}

export async function findBan(db: Queryable, storeId: string, id: string): Promise<BanRow | undefined> {
  const [row] = await db.query<BanRow>(sql`select ${banColumns} from ban where store_id = ${storeId} and id = ${id}`)
  return row
}

/** Locks the ban against changes until the transaction ends. */
export async function lockBan(tx: Transaction, storeId: string, id: string): Promise<BanRow | undefined> {
  // NOTE Two statements: a single statement that waited for the lock would combine the new row with the old identities.
  await tx.query(sql`select 1 from ban where store_id = ${storeId} and id = ${id} for no key update`)
  return await findBan(tx, storeId, id)
}

/** Writes the new state of a locked ban and increments its version. */
export async function updateBanState(
  tx: Transaction,
  before: BanRow,
  state: BanState,
  { updatedBy, updatedAt }: { updatedBy: string; updatedAt: Date },
): Promise<BanRow> {
  const { storeId, id } = before
  const { reason, identities } = state
  const values = {
    ...rowOf(banFields, state),
    folded_reason: foldText(reason),
    updated_by: updatedBy,
    updated_at: updatedAt,
  }
  const rows = await tx.query<BanTableRow>(sql`
    update ban set ${setColumns(values)}, version = version + 1
    where store_id = ${storeId} and id = ${id}
    returning ${banTableColumns}`)
  const row = expectRow(rows)
  if (identities !== before.identities) {
    await tx.query(sql`delete from ban_identity where store_id = ${storeId} and ban_id = ${id}`)
    insertIdentities(tx, row, identities)
  }
  return { ...row, identities }
}

/** The identities are deleted by cascade. */
export async function deleteLockedBan(tx: Transaction, { storeId, id }: BanRow): Promise<void> {
  await tx.query(sql`delete from ban where store_id = ${storeId} and id = ${id}`)
}

function insertIdentities(
  tx: Transaction,
  { storeId, id }: Pick<BanRow, 'storeId' | 'id'>,
  identities: readonly BanIdentity[],
): void {
  identities.forEach(({ type, matchValue, value }, index) => {
    const position = index + 1
    tx.insert('ban_identity', {
      store_id: storeId,
      ban_id: id,
      type,
      match_value: matchValue,
      value,
      position,
    })
  })
}
