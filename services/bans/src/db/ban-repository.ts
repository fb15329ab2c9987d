import type { Queryable, Transaction } from '@storekeep/common/postgres'
import { foldText } from '@storekeep/proto/conventions/folded-text'
import sql from 'sql-template-tag'
import type { BanIdentity, BanState } from '../domain/ban.ts'
import { folding } from './refold-repository.ts'
import { type BanRow, type BanTableRow, banColumns, banTableColumns } from './schema.ts'

export interface NewBan extends BanState {
  storeId: string
  createdBy: string
  createdAt: Date
}

export async function insertBan(tx: Transaction, ban: NewBan): Promise<BanRow> {
  const { storeId, reason, identities, expiresAt, createdBy, createdAt } = ban
  const [row] = await tx.query<BanTableRow>(sql`
    insert into ban (store_id, reason, folded_reason, expires_at, created_by, created_at)
    values (${storeId}, ${reason}, ${foldText(reason)}, ${expiresAt}, ${createdBy}, ${createdAt})
    returning ${banTableColumns}`)
  if (!row) throw new Error('insert returned no row')
  await insertIdentities(tx, row, identities)
  return { ...row, identities }
}

export async function findBan(db: Queryable, storeId: string, id: string): Promise<BanRow | undefined> {
  const [row] = await db.query<BanRow>(sql`select ${banColumns} from ban where store_id = ${storeId} and id = ${id}`)
  return row
}

/** Locks the ban against changes until the transaction ends. */
export async function lockBan(tx: Transaction, storeId: string, id: string): Promise<BanRow | undefined> {
  // NOTE Two statements: a single one that waited for the lock would combine the new row with the old identities.
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
  const { reason, identities, expiresAt } = state
  const [row] = await tx.query<BanTableRow>(sql`
    update ban set
      reason = ${reason}, folded_reason = ${foldText(reason)}, expires_at = ${expiresAt},
      updated_by = ${updatedBy}, updated_at = ${updatedAt}, version = version + 1
    where store_id = ${storeId} and id = ${id}
    returning ${banTableColumns}`)
  if (!row) throw new Error('locked ban not found')
  if (identities !== before.identities) {
    await tx.query(sql`delete from ban_identity where store_id = ${storeId} and ban_id = ${id}`)
    await insertIdentities(tx, row, identities)
  }
  return { ...row, identities }
}

/** The identities are deleted by cascade. */
export async function deleteLockedBan(tx: Transaction, { storeId, id }: BanRow): Promise<void> {
  await tx.query(sql`delete from ban where store_id = ${storeId} and id = ${id}`)
}

async function insertIdentities(
  tx: Transaction,
  { storeId, id }: BanTableRow,
  all: readonly BanIdentity[],
): Promise<void> {
  await tx.query(sql`
    insert into ban_identity (store_id, ban_id, type, match_value, value, position, folding)
    select ${storeId}::bigint, ${id}::bigint, type, match_value, value, position, ${folding}
    from unnest(
      ${all.map(({ type }) => type)}::text[], ${all.map(({ matchValue }) => matchValue)}::text[],
      ${all.map(({ value }) => value)}::text[]
    ) with ordinality as identity (type, match_value, value, position)`)
}
