import {
  type Columns,
  insertInto,
  type Queryable,
  rowOf,
  selectColumns,
  type Transaction,
} from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { foldedNames, knownUuids, type Player, type StoreGame } from '../domain/player.ts'

/** A player with the version of the customer. */
export type NewPlayer = Player & { version: string }

/** Inserts players or replaces their identities, and locks them. @param players of any stores, each once */
export async function upsertPlayers(
  tx: Transaction,
  players: readonly NewPlayer[],
  storeOf: (storeId: string) => StoreGame | undefined,
): Promise<void> {
  if (players.length === 0) return
  const rows = players.map((player) => ({
    ...rowOf(newPlayerFields, player),
    folded_names: foldedNames(player, storeOf(player.storeId)),
    uuids: knownUuids(player),
  }))
  await tx.query(sql`
    ${insertInto('player', rows)} order by store_id, customer_id
    on conflict (store_id, customer_id) do update set
      name = excluded.name, claimed = excluded.claimed, steam_id = excluded.steam_id, steam_name = excluded.steam_name,
      minecraft_uuid = excluded.minecraft_uuid, minecraft_name = excluded.minecraft_name, bedrock = excluded.bedrock,
      xbox_xuid = excluded.xbox_xuid, folded_names = excluded.folded_names, uuids = excluded.uuids,
      version = excluded.version
    where player.version < excluded.version`)
}

/** Removes the identities of a customer who was deleted. */
export async function deletePlayer(tx: Transaction, storeId: string, customerId: string): Promise<void> {
  await tx.query(sql`delete from player where store_id = ${storeId} and customer_id = ${customerId}`)
}

/**
 * Locks players against changes until the transaction ends, including players that are not known yet. So a transaction that
 * queues their commands and the event of a new identity see each other's changes: no command stays blocked for a value that
 * has arrived meanwhile.
 * @returns the players that are known, by id
 */
export async function lockPlayers(
  tx: Transaction,
  storeId: string,
  customerIds: readonly string[],
): Promise<Map<string, Player>> {
  const select = (ids: readonly string[]) =>
    tx.query<NewPlayer>(sql`
      select ${playerColumns} from player
      where store_id = ${storeId} and customer_id = any(${ids}::bigint[]) order by customer_id for share`)
  const rows = await select(customerIds)
  const missing = customerIds.filter((id) => !rows.some(({ customerId }) => customerId === id)).toSorted()
  if (missing.length > 0) {
    const blanks = missing.map((customerId) => ({ ...blank, store_id: storeId, customer_id: customerId }))
    await tx.query(sql`${insertInto('player', blanks)} on conflict (store_id, customer_id) do nothing`)
    rows.push(...(await select(missing)))
  }
  return new Map(rows.filter(({ version }) => version !== '0').map((row) => [row.customerId, row]))
}

/** The players that are known, by the id of the customer. */
export async function findPlayers(
  db: Queryable,
  storeId: string,
  customerIds: readonly string[],
): Promise<Map<string, Player>> {
  const rows = await db.query<NewPlayer>(sql`
    select ${playerColumns} from player
    where store_id = ${storeId} and customer_id = any(${customerIds}::bigint[]) and version > 0`)
  return new Map(rows.map((row) => [row.customerId, row]))
}

/** The customers of the store that are known. */
export async function findKnownPlayers(
  db: Queryable,
  storeId: string,
  customerIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ customerId: string }>(sql`
    select customer_id as "customerId" from player
    where store_id = ${storeId} and customer_id = any(${customerIds}::bigint[]) and version > 0`)
  return new Set(rows.map(({ customerId }) => customerId))
}

/** The Bedrock players of a store, for computing their names again. */
export async function lockBedrockPlayers(tx: Transaction, storeId: string): Promise<Player[]> {
  return await tx.query<Player>(sql`
    select ${playerColumns} from player where store_id = ${storeId} and bedrock
    order by customer_id for no key update`)
}

/** Stores the names by which the servers of a store know its players. */
export async function updateFoldedNames(tx: Transaction, players: readonly Player[], store: StoreGame): Promise<void> {
  for (const player of players) {
    tx.enqueueBeforeCommit(sql`
      update player set folded_names = ${foldedNames(player, store)}::text[]
      where store_id = ${player.storeId} and customer_id = ${player.customerId}`)
  }
}

const newPlayerFields = {
  storeId: 'store_id',
  customerId: 'customer_id',
  name: 'name',
  claimed: 'claimed',
  steamId: 'steam_id',
  steamName: 'steam_name',
  minecraftUuid: 'minecraft_uuid',
  minecraftName: 'minecraft_name',
  bedrock: 'bedrock',
  xboxXuid: 'xbox_xuid',
  version: 'version',
} as const satisfies Columns<keyof NewPlayer>

const playerColumns = selectColumns(newPlayerFields)

/** The row of a player that no event has described yet. */
const blank = { claimed: false, bedrock: false, folded_names: [], uuids: [], version: 0 }
