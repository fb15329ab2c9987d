import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql, { type Sql } from 'sql-template-tag'
import { type AttemptRow, attemptColumns } from '../../attempts/db/schema.ts'

/** The servers with commands that new identities of customers change: also blocked commands of gifts that they gave. */
export async function selectServersOfCustomers(
  db: Queryable,
  storeId: string,
  customerIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ gameServerId: string }>(sql`
    select game_server_id as "gameServerId" from command_attempt
    where store_id = ${storeId} and customer_id = any(${customerIds}::bigint[]) and state in ('pending', 'blocked')
    union select game_server_id from command_attempt where ${isBlockedFor(storeId, customerIds)}`)
  return rows.map(({ gameServerId }) => gameServerId)
}

/** Locks the blocked commands of customers, and of the gifts that they gave, in the order in which they were queued. */
export async function lockBlockedAttempts(
  tx: Transaction,
  storeId: string,
  customerIds: readonly string[],
): Promise<AttemptRow[]> {
  return await tx.query<AttemptRow>(sql`
    select ${attemptColumns} from command_attempt
    where ${isBlockedFor(storeId, customerIds)}
    order by id for no key update`)
}

function isBlockedFor(storeId: string, customerIds: readonly string[]): Sql {
  return sql`store_id = ${storeId} and state = 'blocked' and (
      customer_id = any(${customerIds}::bigint[])
      or item_id in (
        select id from delivery_item
        where store_id = ${storeId} and gift and order_customer_id = any(${customerIds}::bigint[])
      )
    )`
}

/** Stores which placeholders of a locked command still have no value. */
export async function updateMissing(
  tx: Transaction,
  { storeId, id }: Pick<AttemptRow, 'storeId' | 'id'>,
  missing: readonly string[],
): Promise<void> {
  await tx.query(sql`
    update command_attempt set missing_placeholders = ${missing}::text[]
    where store_id = ${storeId} and id = ${id} and missing_placeholders <> ${missing}::text[]`)
}

/** The identities by which a plugin finds a player. */
export interface PluginIdentities {
  customerId: string
  steamId: string | null
  minecraftUuid: string | null
  customerName: string | null
}

/** Replaces the identities of players in their commands that were not executed yet. The queues of their servers are locked. */
export async function updateIdentities(
  tx: Transaction,
  storeId: string,
  players: readonly PluginIdentities[],
): Promise<void> {
  const column = (name: keyof PluginIdentities) => players.map((player) => player[name])
  await tx.query(sql`
    update command_attempt as attempt
    set steam_id = player.steam_id, minecraft_uuid = player.minecraft_uuid, customer_name = player.customer_name
    from unnest(
      ${column('customerId')}::bigint[], ${column('steamId')}::bigint[], ${column('minecraftUuid')}::uuid[],
      ${column('customerName')}::text[]
    ) as player (customer_id, steam_id, minecraft_uuid, customer_name)
    where attempt.store_id = ${storeId} and attempt.customer_id = player.customer_id
      and attempt.state in ('pending', 'blocked')
      and (attempt.steam_id, attempt.minecraft_uuid, attempt.customer_name)
        is distinct from (player.steam_id, player.minecraft_uuid, player.customer_name)`)
}
