import { expectRow, type Queryable, type Transaction } from '@storekeep/common/postgres'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { laterThan } from '../../attempts/db/queue-repository.ts'
import { type AttemptRow, attemptColumns, type ServerKey } from '../../attempts/db/schema.ts'
import type { Identities } from '../domain/online-players.ts'
import { stuckAfter } from '../domain/rules.ts'
import { type QueueTimes, queueTimes } from './due-repository.ts'

/** Whose `online_only` commands are given out: of any player, or of these customers. */
export type Online = 'any' | readonly string[]

/** A command that is available, unless it waits for an earlier command of its item. */
export interface Candidate {
  id: string
  onlineOnly: boolean
  /**
   * Whether an earlier command of its item was given out before, and is leased, even if it was unqueued since, or stuck, or available
   * but beyond the limit.
   */
  isWaiting: boolean
}

/**
 * Locks the queue of a server until the transaction ends: other polls and changes of the queue wait.
 * NOTE Read everything else in later statements, because the snapshot of this one is from before the lock.
 * @returns false if the server has never had a command
 */
export async function lockQueue(tx: Transaction, { storeId, gameServerId }: ServerKey): Promise<boolean> {
  const rows = await tx.query(sql`
    select from command_queue where store_id = ${storeId} and game_server_id = ${gameServerId} for update`)
  return rows.length > 0
}

/** The customers of a store with one of the identities. */
export async function findCustomers(db: Queryable, storeId: string, identities: Identities): Promise<string[]> {
  const rows = await db.query<{ customerId: string }>(
    selectPlayers(storeId, identities, sql`customer_id as "customerId"`),
  )
  return rows.map(({ customerId }) => customerId)
}

/** A customer with all identities by which a server may know them. */
export interface KnownPlayer {
  customerId: string
  identities: Identities
}

/** The customers of a store with one of the identities. */
export async function findPlayers(db: Queryable, storeId: string, identities: Identities): Promise<KnownPlayer[]> {
  const columns = sql`customer_id as "customerId", steam_id as "steamId", uuids::text[] as uuids, folded_names as names`
  const rows = await db.query<{ customerId: string; steamId: string | null; uuids: string[]; names: string[] }>(
    selectPlayers(storeId, identities, columns),
  )
  return rows.map(({ customerId, steamId, uuids, names }) => ({
    customerId,
    identities: { steamIds: steamId === null ? [] : [steamId], minecraftUuids: uuids, names },
  }))
}

// Separate selects, so that each can use its index. Lists that are empty cost nothing.
function selectPlayers(storeId: string, { steamIds, minecraftUuids, names }: Identities, columns: Sql): Sql {
  return sql`
    select ${columns} from player where store_id = ${storeId} and steam_id = any(${steamIds}::bigint[])
    union select ${columns} from player where store_id = ${storeId} and uuids && ${minecraftUuids}::uuid[]
    union select ${columns} from player where store_id = ${storeId} and folded_names && ${names}::text[]`
}

/**
 * Forces plans for this transaction that read an index in the order of the result. Plans that were made while the tables were small
 * could read all commands instead. For the same reason, statements check the store of a server after they have read its first
 * commands: they would otherwise read all commands of the store.
 */
export async function preferOrderedIndexes(tx: Transaction): Promise<void> {
  await tx.query(sql`
    select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
      set_config('enable_sort', 'off', true)`)
}

/** The commands of these customers that wait for their players: how soon one is available. Takes no locks. */
export async function findNextOnline(
  tx: Transaction,
  { storeId, gameServerId }: ServerKey,
  customerIds: readonly string[],
): Promise<{ isAvailable: boolean; nextAt: number | null }> {
  const [row] = await tx.query<{ isAvailable: boolean | null; nextAt: number | null }>(sql`
    select min(available_at) <= statement_timestamp() as "isAvailable",
      (extract(epoch from nullif(min(available_at), 'infinity')) * 1e6)::float8 as "nextAt"
    from unnest(${customerIds}::bigint[]) as player (customer_id)
    cross join lateral (
      select store_id, available_at from command_attempt
      where game_server_id = ${gameServerId} and customer_id = player.customer_id
        and state = 'pending' and stuck_at is null and online_only
      order by available_at, due_at, id limit 1
    ) as first
    where store_id = ${storeId}`)
  return { isAvailable: row?.isAvailable ?? false, nextAt: row?.nextAt ?? null }
}

/** Up to `limit` commands that are available, the longest available first. The queue is locked. */
export async function selectCandidates(
  tx: Transaction,
  server: ServerKey,
  { online, limit }: { online: Online; limit: number },
): Promise<Candidate[]> {
  return await tx.query<Candidate>(sql`
    with available as (
      select * from (
        (${selectAvailable(server, sql`not online_only`, limit)})
        ${forPlayers(server, online, limit)}
      ) as found order by available_at, due_at, id limit ${limit}
    )
    select id, online_only as "onlineOnly", exists (
      select from command_attempt earlier
      where ${isBefore(server, 'available')} and (${isHeld} or (${isAvailable} and ${isFor(online)}
        and earlier.id not in (select id from available)))
    ) as "isWaiting"
    from available where store_id = ${server.storeId} order by due_at, id`)
}

function forPlayers(server: ServerKey, online: Online, limit: number): Sql {
  if (online.length === 0) return empty
  if (online === 'any') return sql`union all (${selectAvailable(server, sql`online_only`, limit)})`
  const ofPlayer = sql`online_only and customer_id = player.customer_id`
  return sql`
    union all (
      select available.* from unnest(${online}::bigint[]) as player (customer_id)
      cross join lateral (${selectAvailable(server, ofPlayer, limit)}) as available
    )`
}

// Commands that are about to become stuck are left out: the sweep may be late.
function selectAvailable({ gameServerId }: ServerKey, condition: Sql, limit: number): Sql {
  return sql`
    select store_id, id, item_id, online_only, due_at, available_at from command_attempt
    where game_server_id = ${gameServerId} and ${condition}
      and state = 'pending' and stuck_at is null and available_at <= statement_timestamp()
      and given_out_count < ${stuckAfter.timesGivenOut} and coalesce(first_given_out_at, 'infinity')
        > statement_timestamp() - ${stuckAfter.hours} * interval '1 hour'
    order by available_at, due_at, id limit ${limit}`
}

/** The condition that the command `earlier` is given out to polls of these players. */
function isFor(online: Online): Sql {
  return online === 'any' ? sql`true` : sql`(not earlier.online_only or earlier.customer_id = any(${online}::bigint[]))`
}

/**
 * Leases commands: they become available again when the lease ends. Commands that were acknowledged or unqueued meanwhile are
 * left out.
 * @param isCertain whether the plugin will execute every command; it may ignore the command of a player who is not online
 * @returns the leased commands, in their order
 */
export async function leaseAttempts(
  tx: Transaction,
  { storeId }: ServerKey,
  ids: readonly string[],
  { leaseMs, isCertain }: { leaseMs: number; isCertain: boolean },
): Promise<AttemptRow[]> {
  const leaseEnd = sql`statement_timestamp() + ${leaseMs} * interval '1 millisecond'`
  return await tx.query<AttemptRow>(sql`
    with leased as (
      update command_attempt set available_at = ${leaseEnd}, leased_until = ${leaseEnd},
        given_out_count = given_out_count + case when ${isCertain} or not online_only then 1 else 0 end,
        first_given_out_at = case
          when ${isCertain} or not online_only then coalesce(first_given_out_at, statement_timestamp())
          else first_given_out_at
        end
      where store_id = ${storeId} and id = any(${ids}::bigint[]) and state = 'pending'
      returning *
    )
    select ${attemptColumns} from leased order by due_at, id`)
}

/**
 * Makes commands available when the leases of the earlier commands of their items end or have ended; never if one of these is stuck.
 * Commands that are available since the same time are given out in their order.
 */
export async function postponeAttempts(tx: Transaction, server: ServerKey, ids: readonly string[]): Promise<void> {
  await tx.query(sql`
    update command_attempt later set available_at = coalesce((
      select max(case when state = 'pending' and stuck_at is not null then 'infinity' else leased_until end) from command_attempt earlier
      where ${isBefore(server, 'later')} and (${isHeld} or ${isAvailable})
    ), available_at)
    where store_id = ${server.storeId} and id = any(${ids}::bigint[]) and state = 'pending'`)
}

/** The condition that the command `earlier` is an earlier one of the item, and was given out before. */
function isBefore({ gameServerId }: ServerKey, later: 'available' | 'later'): Sql {
  return sql`earlier.game_server_id = ${gameServerId} and earlier.item_id = ${raw(later)}.item_id
    and earlier.state in ('pending', 'unqueued') and earlier.leased_until is not null
    and (earlier.due_at, earlier.id) < (${raw(later)}.due_at, ${raw(later)}.id)`
}

// An unqueued command counts until its lease ends: the server or proxy that holds it may still execute it, and a refund must not
// overtake it.
const isHeld = sql`(earlier.leased_until > statement_timestamp() or (earlier.state = 'pending' and earlier.stuck_at is not null))`

const isAvailable = sql`(earlier.state = 'pending' and earlier.leased_until <= statement_timestamp())`

/** Computes again when a locked queue is due. */
export async function updateQueueTimes(tx: Transaction, { storeId, gameServerId }: ServerKey): Promise<QueueTimes> {
  const first = (condition: Sql) => sql`(
    select nullif(available_at, 'infinity') from (
      select store_id, available_at from command_attempt
      where game_server_id = ${gameServerId} and ${condition} and state = 'pending' and stuck_at is null
      order by available_at, due_at, id limit 1
    ) as first where store_id = ${storeId})`
  const updated = await tx.query<QueueTimes>(sql`
    update command_queue set next_due_at = ${first(sql`not online_only`)}, next_online_due_at = ${first(sql`online_only`)},
      changed_at = ${laterThan('command_queue')}
    where store_id = ${storeId} and game_server_id = ${gameServerId} returning ${queueTimes}`)
  return expectRow(updated)
}
