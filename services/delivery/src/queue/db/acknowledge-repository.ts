import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { type AttemptRow, attemptColumns, type ServerKey } from '../../attempts/db/schema.ts'

/** The attempts of a server with one of the ids. */
export async function findAttempts(
  db: Queryable,
  { storeId, gameServerId }: ServerKey,
  ids: readonly string[],
): Promise<Pick<AttemptRow, 'id' | 'itemId' | 'state'>[]> {
  return await db.query(sql`
    select id, item_id as "itemId", state from command_attempt
    where store_id = ${storeId} and id = any(${ids}::bigint[]) and game_server_id = ${gameServerId}`)
}

/** Marks pending attempts of a server as executed, also stuck ones. Its queue is locked. @returns the marked attempts */
export async function markExecuted(
  tx: Transaction,
  { storeId, gameServerId }: ServerKey,
  ids: readonly string[],
  { ip, at }: { ip: string; at: Date },
): Promise<AttemptRow[]> {
  return await tx.query<AttemptRow>(sql`
    with executed as (
      update command_attempt set state = 'executed', executed_at = ${at}, executed_by_ip = nullif(${ip}, ''),
        version = version + 1
      where store_id = ${storeId} and id = any(${ids}::bigint[]) and game_server_id = ${gameServerId}
        and state = 'pending'
      returning *
    )
    select ${attemptColumns} from executed order by due_at, id`)
}
