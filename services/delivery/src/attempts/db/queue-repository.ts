import type { Transaction } from '@storekeep/common/postgres'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { AttemptRow, ServerKey } from './schema.ts'

/**
 * Locks game servers of a store against being deleted until the transaction ends.
 * @returns the ids of existing servers
 */
export async function lockGameServers(tx: Transaction, storeId: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from game_server where store_id = ${storeId} and id = any(${ids}::bigint[]) order by id for key share`)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Locks the queues of servers of a store until the transaction ends, in the order of their ids, so that no two transactions wait
 * for each other.
 */
export async function lockQueues(tx: Transaction, storeId: string, gameServerIds: readonly string[]): Promise<void> {
  await tx.query(sql`
    select from command_queue where store_id = ${storeId} and game_server_id = any(${gameServerIds}::bigint[])
    order by game_server_id for update`)
}

/** Announces queued attempts to the polls of their servers, with the commit, so that the locks of the queues are short. */
export function announceAttempts(tx: Transaction, attempts: readonly AttemptRow[]): void {
  if (attempts.length === 0) return
  const dueIf = (isCounted: (attempt: AttemptRow) => boolean) =>
    attempts.map((attempt) => (attempt.state === 'pending' && isCounted(attempt) ? attempt.dueAt : null))
  tx.enqueueBeforeCommit(sql`
    insert into command_queue as queue (store_id, game_server_id, next_due_at, next_online_due_at)
    select store_id, game_server_id, min(due_at), min(online_due_at) from unnest(
      ${attempts.map(({ storeId }) => storeId)}::bigint[], ${attempts.map(({ gameServerId }) => gameServerId)}::bigint[],
      ${dueIf(({ onlineOnly }) => !onlineOnly)}::timestamptz[], ${dueIf(({ onlineOnly }) => onlineOnly)}::timestamptz[]
    ) as queued (store_id, game_server_id, due_at, online_due_at)
    group by store_id, game_server_id order by store_id, game_server_id
    on conflict (store_id, game_server_id) do update set
      next_due_at = least(queue.next_due_at, excluded.next_due_at),
      next_online_due_at = least(queue.next_online_due_at, excluded.next_online_due_at),
      changed_at = ${laterThan('queue')}`)
}

/** Makes polls of a server look for commands that have become available. Its queue is locked. */
export function announceReleased(tx: Transaction, { storeId, gameServerId }: ServerKey): void {
  tx.enqueueBeforeCommit(sql`
    update command_queue set next_due_at = least(next_due_at, now()), next_online_due_at = least(next_online_due_at, now()),
      changed_at = ${laterThan('command_queue')}
    where store_id = ${storeId} and game_server_id = ${gameServerId}`)
}

/**
 * The time of a change of a queue: always later than the one before, so that replicas notice the change even if the clock of the
 * database has been set back.
 * @param queue name of the row in the statement
 */
export function laterThan(queue: 'queue' | 'command_queue'): Sql {
  return sql`greatest(clock_timestamp(), ${raw(queue)}.changed_at + interval '1 microsecond')`
}
