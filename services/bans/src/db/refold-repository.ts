import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { BanType } from '../domain/ban.ts'

/** The current rule of `normalizeIdentity`; see the migration 0003. */
export const folding = 2

/** An identity whose `match_value` follows an earlier rule. */
export interface StaleIdentity {
  storeId: string
  banId: string
  position: number
  type: BanType
  value: string
}

/** Selects identities to recompute, of all stores, and skips those of bans that are being changed. */
export async function selectStaleIdentities(tx: Transaction, limit: number): Promise<StaleIdentity[]> {
  return await tx.query<StaleIdentity>(sql`
    select store_id as "storeId", ban_id as "banId", position, type, value from ban_identity
    where folding = 1 and type in ('customer_name', 'email', 'xbox_xuid')
    order by store_id, ban_id, position limit ${limit} for update skip locked`)
}

/**
 * Writes the match value by the current rule. If the ban already has an identity with that value, this one keeps its own, since
 * the other one matches for both. What the store reads of the ban does not change.
 */
export async function writeMatchValue(db: Queryable, identity: StaleIdentity, matchValue: string): Promise<void> {
  const { storeId, banId, position, type } = identity
  await db.query(sql`
    update ban_identity set folding = ${folding}, match_value = case when exists (
      select from ban_identity other
      where other.store_id = ${storeId} and other.ban_id = ${banId} and other.type = ${type} and other.match_value = ${matchValue}
    ) then match_value else ${matchValue} end
    where store_id = ${storeId} and ban_id = ${banId} and position = ${position}`)
}
