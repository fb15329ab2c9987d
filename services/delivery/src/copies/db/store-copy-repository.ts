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
    select game, bedrock_prefix as "bedrockPrefix" from store_copy where store_id = ${storeId} and version > 0`)
  return row
}

/**
 * Locks stores against changes until the transaction ends, including stores that are not known yet. So the event of a store and one
 * of its customer see each other's changes.
 * @returns the games of the stores that are known, by the id of the store
 */
export async function lockStores(tx: Transaction, storeIds: readonly string[]): Promise<Map<string, StoreGame>> {
  const select = (ids: readonly string[]) =>
    tx.query<StoreGame & { storeId: string; version: string }>(sql`
      select store_id as "storeId", game, bedrock_prefix as "bedrockPrefix", version from store_copy
      where store_id = any(${ids}::bigint[]) order by store_id for share`)
  const rows = await select(storeIds)
  const missing = storeIds.filter((id) => !rows.some(({ storeId }) => storeId === id))
  if (missing.length > 0) {
    await tx.query(sql`
      insert into store_copy (store_id, game, bedrock_prefix, version)
      select id, '', '', 0 from unnest(${missing}::bigint[]) as missing (id) order by id
      on conflict do nothing`)
    rows.push(...(await select(missing)))
  }
  return new Map(rows.filter(({ version }) => version !== '0').map((row) => [row.storeId, row]))
}
