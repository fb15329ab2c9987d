import {
  expectRow,
  insertInto,
  lockName,
  type Queryable,
  setColumns,
  type Transaction,
} from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { GameServerLink, GameServerState } from '../domain/game-server.ts'
import { type GameServerRow, gameServerColumns } from './schema.ts'

/** A game server to insert. */
export interface NewGameServer
  extends GameServerState,
    Pick<GameServerRow, 'id' | 'storeId' | 'createdBy' | 'createdAt'> {
  tokenHash: Buffer
}

export async function insertGameServer(tx: Transaction, server: NewGameServer): Promise<GameServerRow> {
  const values = {
    store_id: server.storeId,
    id: server.id,
    name: server.name,
    enabled: server.enabled,
    token_hash: server.tokenHash,
    created_by: server.createdBy,
    created_at: server.createdAt,
  }
  return expectRow(
    await tx.query<GameServerRow>(sql`${insertInto('game_server', [values])} returning ${gameServerColumns}`),
  )
}

/** Serializes the creation of servers of a store, so that their number never exceeds the limit. */
export async function lockGameServersOf(tx: Transaction, storeId: string): Promise<void> {
  await lockName(tx, `game servers of ${storeId}`)
}

/** Whether the store has at least that many game servers. */
export async function hasGameServers(db: Queryable, storeId: string, count: number): Promise<boolean> {
  const rows = await db.query(sql`
    select from game_server where store_id = ${storeId} order by id offset ${count - 1} limit 1`)
  return rows.length > 0
}

export async function findGameServer(db: Queryable, storeId: string, id: string): Promise<GameServerRow | undefined> {
  const [row] = await db.query<GameServerRow>(
    sql`select ${gameServerColumns} from game_server where store_id = ${storeId} and id = ${id}`,
  )
  return row
}

/** The server of a token. */
export interface TokenOwner extends Pick<GameServerRow, 'id' | 'storeId' | 'enabled'> {
  tokenEpoch: string
}

/** Finds the server of a token, of any store. */
export async function findGameServerByToken(db: Queryable, tokenHash: Buffer): Promise<TokenOwner | undefined> {
  const [row] = await db.query<TokenOwner>(sql`
    select id, store_id as "storeId", enabled, token_epoch as "tokenEpoch" from game_server where token_hash = ${tokenHash}`)
  return row
}

/** The servers of the store, oldest first. */
export async function selectGameServers(db: Queryable, storeId: string): Promise<GameServerRow[]> {
  return await db.query<GameServerRow>(
    sql`select ${gameServerColumns} from game_server where store_id = ${storeId} order by id`,
  )
}

/** Locks the server until the transaction ends. */
export async function lockGameServer(tx: Transaction, storeId: string, id: string): Promise<GameServerRow | undefined> {
  const [row] = await tx.query<GameServerRow>(sql`
    select ${gameServerColumns} from game_server where store_id = ${storeId} and id = ${id} for no key update`)
  return row
}

/** A change by the staff, of a server that the transaction has locked. */
export interface GameServerChange extends Partial<GameServerState> {
  tokenHash?: Buffer
  updatedBy: string
  updatedAt: Date
}

/** Writes a change and increments the version. With a new token, also the time of the reset. */
export async function updateGameServerState(
  tx: Transaction,
  { storeId, id, name, enabled }: GameServerRow,
  { tokenHash, updatedBy, updatedAt, ...change }: GameServerChange,
): Promise<GameServerRow> {
  const token = tokenHash ? { token_hash: tokenHash, token_reset_at: updatedAt } : {}
  const values = { name, enabled, ...change, ...token, updated_by: updatedBy, updated_at: updatedAt }
  const outdates = tokenHash !== undefined || values.enabled !== enabled
  return expectRow(
    await tx.query<GameServerRow>(sql`
    update game_server set ${setColumns(values)}, version = version + 1, token_epoch = token_epoch + ${outdates ? 1 : 0}::int
    where store_id = ${storeId} and id = ${id} returning ${gameServerColumns}`),
  )
}

/** Writes what a plugin reports about a locked server. @param isNew increments the version */
export async function updateGameServerLink(
  tx: Transaction,
  { storeId, id }: GameServerRow,
  { ip, hostname, platform, version }: GameServerLink,
  { linkedAt, isNew }: { linkedAt: Date; isNew: boolean },
): Promise<GameServerRow> {
  return expectRow(
    await tx.query<GameServerRow>(sql`
    update game_server set link_ip = ${ip}, link_hostname = ${hostname}, link_platform = ${platform},
      link_version = ${version}, linked_at = ${linkedAt}, version = version + ${isNew ? 1 : 0}::int
    where store_id = ${storeId} and id = ${id} returning ${gameServerColumns}`),
  )
}

export async function deleteLockedGameServer(tx: Transaction, { storeId, id }: GameServerRow): Promise<void> {
  await tx.query(sql`delete from game_server where store_id = ${storeId} and id = ${id}`)
}
