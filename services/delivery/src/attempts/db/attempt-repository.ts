import { insertInto, type Queryable, rowOf, type Transaction } from '@storekeep/common/postgres'
import sql, { join, type Sql } from 'sql-template-tag'
import type { NewAttempt } from '../domain/attempt.ts'
import { type AttemptRow, attemptColumns, newAttemptFields, type ServerKey } from './schema.ts'

/** Inserts attempts, whose ids are in the order of the list. @returns them in this order */
export async function insertAttempts(tx: Transaction, attempts: readonly NewAttempt[]): Promise<AttemptRow[]> {
  if (attempts.length === 0) return []
  const rows = attempts.map((attempt) => {
    const isBlocked = attempt.missingPlaceholders.length > 0
    return {
      ...rowOf(newAttemptFields, { ...attempt, command: isBlocked ? attempt.template : attempt.command }),
      state: isBlocked ? 'blocked' : 'pending',
      available_at: attempt.dueAt,
    }
  })
  return await tx.query<AttemptRow>(sql`${insertInto('command_attempt', rows)} returning ${attemptColumns}`)
}

/** The attempts of items, or attempts by their ids. */
export type AttemptSelection = { storeId: string } & (
  | { itemIds: readonly string[]; attemptIds?: undefined }
  | { attemptIds: readonly string[]; itemIds?: undefined }
)

/** The servers of pending and blocked attempts. */
export async function selectServersOf(db: Queryable, selection: AttemptSelection): Promise<string[]> {
  const rows = await db.query<{ gameServerId: string }>(sql`
    select distinct game_server_id as "gameServerId" from command_attempt
    where ${isSelected(selection)} and state in ('pending', 'blocked')`)
  return rows.map(({ gameServerId }) => gameServerId)
}

/** Unqueues pending and blocked attempts. They keep their leases. The queues of their servers are locked. */
export async function markUnqueued(tx: Transaction, selection: AttemptSelection, now: Date): Promise<AttemptRow[]> {
  return await tx.query<AttemptRow>(sql`
    update command_attempt set state = 'unqueued', unqueued_at = ${now}, version = version + 1
    where ${isSelected(selection)} and state in ('pending', 'blocked')
    returning ${attemptColumns}`)
}

/**
 * Unqueues up to `limit` pending and blocked attempts of a server that is deleted.
 * @returns how many; fewer than `limit` if none are left
 */
export async function unqueueServer(
  db: Queryable,
  { storeId, gameServerId }: ServerKey,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  // One select for each index.
  const open = [
    sql`state = 'pending' and stuck_at is null and not online_only`,
    sql`state = 'pending' and stuck_at is null and online_only`,
    sql`(state = 'blocked' or (state = 'pending' and stuck_at is not null))`,
  ].map(
    (condition) => sql`
      (select id from command_attempt
      where store_id = ${storeId} and game_server_id = ${gameServerId} and ${condition} limit ${limit})`,
  )
  const unqueued = await db.query(sql`
    update command_attempt set state = 'unqueued', unqueued_at = ${now}, version = version + 1
    where store_id = ${storeId} and id in (
      select id from (${join(open, ' union all ')}) as found limit ${limit}
    ) returning 1`)
  return unqueued.length
}

/**
 * Makes the commands of items available that waited for an earlier one of their item. The queue of the server is locked. Commands
 * that must wait for another one will wait again.
 * @returns whether there were any
 */
export async function releaseWaiting(
  tx: Transaction,
  { storeId, gameServerId }: ServerKey,
  itemIds: readonly string[],
): Promise<boolean> {
  if (itemIds.length === 0) return false
  // A leased command becomes available when its lease ends, a waiting one at any other time.
  const released = await tx.query(sql`
    update command_attempt set available_at = due_at
    where store_id = ${storeId} and item_id = any(${itemIds}::bigint[]) and game_server_id = ${gameServerId}
      and state = 'pending' and stuck_at is null
      and available_at <> due_at and available_at is distinct from leased_until
    returning 1`)
  return released.length > 0
}

/** A blocked attempt whose placeholders have values now, with the identities of its player. */
export type ReleasedAttempt = Pick<
  AttemptRow,
  'storeId' | 'id' | 'command' | 'steamId' | 'minecraftUuid' | 'customerName'
>

/** Makes a blocked attempt pending. @returns undefined if it is not blocked */
export async function markReleased(tx: Transaction, attempt: ReleasedAttempt): Promise<AttemptRow | undefined> {
  const [row] = await tx.query<AttemptRow>(sql`
    update command_attempt set state = 'pending', command = ${attempt.command}, missing_placeholders = '{}',
      steam_id = ${attempt.steamId}, minecraft_uuid = ${attempt.minecraftUuid}, customer_name = ${attempt.customerName},
      version = version + 1
    where store_id = ${attempt.storeId} and id = ${attempt.id} and state = 'blocked'
    returning ${attemptColumns}`)
  return row
}

export async function findAttempt(db: Queryable, storeId: string, id: string): Promise<AttemptRow | undefined> {
  const [row] = await db.query<AttemptRow>(sql`
    select ${attemptColumns} from command_attempt where store_id = ${storeId} and id = ${id}`)
  return row
}

/** The attempts of items, in the order in which they were queued. */
export async function selectAttemptsOfItems(
  db: Queryable,
  storeId: string,
  itemIds: readonly string[],
): Promise<AttemptRow[]> {
  return await db.query<AttemptRow>(sql`
    select ${attemptColumns} from command_attempt
    where store_id = ${storeId} and item_id = any(${itemIds}::bigint[]) order by id`)
}

function isSelected({ storeId, itemIds, attemptIds }: AttemptSelection): Sql {
  const ids = itemIds ? sql`item_id = any(${itemIds}::bigint[])` : sql`id = any(${attemptIds}::bigint[])`
  return sql`store_id = ${storeId} and ${ids}`
}
