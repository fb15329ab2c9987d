import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { StoreGame } from '../domain/player.ts'

/** Stores the game of a store. @returns whether the servers of the store know players by other names now */
export async function upsertStore(db: Queryable, storeId: string, store: StoreGame, version: string): Promise<boolean> {
  const before = await findStore(db, storeId)
  await db.query(sql`
    insert into store_copy (store_id, game, bedrock_prefix, version)
    values (${storeId}, ${store.game}, ${store.bedrockPrefix}, ${version})
    on conflict (store_id) do update set
      game = excluded.game, bedrock_prefix = excluded.bedrock_prefix, version = excluded.version`)
  return before?.game !== store.game || before.bedrockPrefix !== store.bedrockPrefix
}

export async function findStore(db: Queryable, storeId: string): Promise<StoreGame | undefined> {
  const [row] = await db.query<StoreGame>(sql`
    select game, bedrock_prefix as "bedrockPrefix" from store_copy where store_id = ${storeId}`)
  return row
}

/** The games of stores by the id of the store, locked against changes until the transaction ends. */
export async function lockStores(db: Transaction, storeIds: readonly string[]): Promise<Map<string, StoreGame>> {
  const rows = await db.query<StoreGame & { storeId: string }>(sql`
    select store_id as "storeId", game, bedrock_prefix as "bedrockPrefix" from store_copy
    where store_id = any(${storeIds}::bigint[]) order by store_id for share`)
  return new Map(rows.map((row) => [row.storeId, row]))
}
