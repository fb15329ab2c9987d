import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { type AttemptRow, attemptColumns, type ServerKey } from '../../attempts/db/schema.ts'

/** An attempt that may be acknowledged. */
export interface KnownAttempt extends Pick<AttemptRow, 'id' | 'itemId' | 'state'> {
  /** Whether an acknowledgement marks it as executed. */
  isOpen: boolean
}

/** The attempts of a server with one of the ids. */
export async function findAttempts(
  db: Queryable,
  { storeId, gameServerId }: ServerKey,
  ids: readonly string[],
): Promise<KnownAttempt[]> {
  return await db.query<KnownAttempt>(sql`
    select id, item_id as "itemId", state, ${isOpen} as "isOpen" from command_attempt
    where store_id = ${storeId} and id = any(${ids}::bigint[]) and game_server_id = ${gameServerId}`)
}

/** Marks open attempts of a server as executed, also stuck ones. Its queue is locked. @returns the marked attempts */
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
        and ${isOpen}
      returning *
    )
    select ${attemptColumns} from executed order by due_at, id`)
}

// The holder of a command does not learn that it was unqueued: its acknowledgement is evidence that the player has received it.
const isOpen = sql`(state = 'pending' or (state = 'unqueued' and leased_until is not null))`
