import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql, { type Sql } from 'sql-template-tag'
import { laterThan } from '../../attempts/db/queue-repository.ts'
import type { ServerKey } from '../../attempts/db/schema.ts'
import { micros } from './due-repository.ts'

/** The valid token of a game server. */
export interface CurrentToken {
  epoch: string
  /** `changedAt` of the queue of the server; null without a queue. */
  changedAt: number | null
}

/** The token of an enabled server. @returns undefined if the server is disabled or does not exist */
export async function findCurrentToken(
  db: Queryable,
  { storeId, gameServerId }: ServerKey,
): Promise<CurrentToken | undefined> {
  const [row] = await db.query<CurrentToken>(sql`
    select token_epoch as epoch, ${micros('queue.changed_at')} as "changedAt"
    from game_server server
    left join command_queue queue on queue.store_id = server.store_id and queue.game_server_id = server.id
    where server.store_id = ${storeId} and server.id = ${gameServerId} and server.enabled`)
  return row
}

/** Reports to all replicas, with the commit, that the token of a server may have changed. */
export function announceToken(tx: Transaction, server: ServerKey): void {
  tx.enqueueBeforeCommit(touchQueue(server))
}

/** Reports to all replicas that the token of a server may have changed. */
export async function writeTokenChange(db: Queryable, server: ServerKey): Promise<void> {
  await db.query(touchQueue(server))
}

function touchQueue({ storeId, gameServerId }: ServerKey): Sql {
  return sql`
    insert into command_queue as queue (store_id, game_server_id) values (${storeId}, ${gameServerId})
    on conflict (store_id, game_server_id) do update set
      changed_at = ${laterThan('queue')}`
}
