import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'

/** The last join of a player on a server. */
export interface JoinRow {
  storeId: string
  customerId: string
  gameServerId: string
  joinedAt: Date
  ipAddress: string | null
}

/**
 * Stores joins that are later than the known ones. A customer who is deleted meanwhile is left out.
 * @param joins each player once per server
 * @returns the stored ones
 */
export async function upsertJoins(tx: Transaction, joins: readonly JoinRow[]): Promise<JoinRow[]> {
  if (joins.length === 0) return []
  return await tx.query<JoinRow>(sql`
    insert into player_join as known (store_id, customer_id, game_server_id, joined_at, ip_address)
    select joined.* from unnest(
      ${joins.map(({ storeId }) => storeId)}::bigint[], ${joins.map(({ customerId }) => customerId)}::bigint[],
      ${joins.map(({ gameServerId }) => gameServerId)}::bigint[], ${joins.map(({ joinedAt }) => joinedAt)}::timestamptz[],
      ${joins.map(({ ipAddress }) => ipAddress)}::text[]
    ) as joined (store_id, customer_id, game_server_id, joined_at, ip_address)
      join player on player.store_id = joined.store_id and player.customer_id = joined.customer_id
    order by joined.store_id, joined.customer_id, joined.game_server_id for key share of player
    on conflict (store_id, customer_id, game_server_id) do update set
      joined_at = excluded.joined_at, ip_address = excluded.ip_address
    where known.joined_at < excluded.joined_at
    returning store_id as "storeId", customer_id as "customerId", game_server_id as "gameServerId",
      joined_at as "joinedAt", ip_address as "ipAddress"`)
}

/** Deletes the joins of a customer. */
export async function deleteJoinsOf(tx: Transaction, storeId: string, customerId: string): Promise<void> {
  await tx.query(sql`delete from player_join where store_id = ${storeId} and customer_id = ${customerId}`)
}

/** Deletes joins before a time. @returns how many; fewer than `limit` if none are left */
export async function deleteJoins(db: Queryable, before: Date, limit: number): Promise<number> {
  const deleted = await db.query(sql`
    delete from player_join where (store_id, customer_id, game_server_id) in (
      select store_id, customer_id, game_server_id from player_join where joined_at < ${before}
      order by joined_at limit ${limit} for update skip locked
    ) returning 1`)
  return deleted.length
}
