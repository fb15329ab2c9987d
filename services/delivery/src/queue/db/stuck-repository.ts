import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { type AttemptRow, attemptColumns, type ServerKey } from '../../attempts/db/schema.ts'
import { stuckAfter } from '../domain/rules.ts'

/** Commands of any store that are given out too often or too long ago, and whose leases have ended. */
export async function findUnacknowledged(db: Queryable, limit: number): Promise<(ServerKey & { id: string })[]> {
  // Each part reads an index that holds only unacknowledged commands. The literal 20 is `stuckAfter.timesGivenOut`: it must match the
  // predicate of the index, which the planner cannot compare with a parameter.
  return await db.query(sql`
    select store_id as "storeId", game_server_id as "gameServerId", id from (
      (select store_id, game_server_id, id from command_attempt
      where state = 'pending' and stuck_at is null and given_out_count >= 20 and leased_until <= now() limit ${limit})
      union
      (select store_id, game_server_id, id from command_attempt
      where state = 'pending' and stuck_at is null and first_given_out_at is not null
        and first_given_out_at <= now() - ${stuckAfter.hours} * interval '1 hour' and leased_until <= now()
      order by first_given_out_at limit ${limit})
    ) as unacknowledged`)
}

/** Marks commands of a server as stuck unless they were acknowledged meanwhile. Its queue is locked. */
export async function markStuck(
  tx: Transaction,
  { storeId, gameServerId }: ServerKey,
  ids: readonly string[],
): Promise<AttemptRow[]> {
  return await tx.query<AttemptRow>(sql`
    update command_attempt set stuck_at = now(), version = version + 1
    where store_id = ${storeId} and id = any(${ids}::bigint[]) and game_server_id = ${gameServerId}
      and state = 'pending' and stuck_at is null and leased_until <= now()
    returning ${attemptColumns}`)
}

/** Queues of servers, of any store, that were deleted. */
export async function findQueuesWithoutServer(db: Queryable, limit: number): Promise<ServerKey[]> {
  return await db.query<ServerKey>(sql`
    select store_id as "storeId", game_server_id as "gameServerId" from command_queue queue
    where not exists (
      select from game_server server where server.store_id = queue.store_id and server.id = queue.game_server_id
    ) limit ${limit}`)
}

/** Deletes a queue that has not changed for a minute: every replica has read that its server was deleted. */
export async function deleteUnchangedQueue(db: Queryable, { storeId, gameServerId }: ServerKey): Promise<void> {
  await db.query(sql`
    delete from command_queue
    where store_id = ${storeId} and game_server_id = ${gameServerId} and changed_at < now() - interval '1 minute'`)
}
