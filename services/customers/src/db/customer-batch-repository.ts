import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { UniqueIds } from '../domain/customer-batch.ts'
import type { CustomerDraft } from '../domain/customer-draft.ts'
import { foldedNames } from '../domain/folded-text.ts'
import { type CustomerRow, customerColumns } from './schema.ts'

/**
 * Makes all customers with two statements, whatever their number. They are inserted in the order of their ids, so that two
 * batches with the same ids wait for each other instead of locking each other up.
 *
 * @returns their rows in the order of the drafts
 * @throws pg.DatabaseError when an id is taken; see `takenIds`
 */
export async function insertCustomers(
  tx: Transaction,
  storeId: string,
  drafts: readonly CustomerDraft[],
  createdAt: Date,
): Promise<CustomerRow[]> {
  // The ids come first, so that each row is known to belong to its draft.
  const ids = await tx.query<{ id: string }>(
    sql`select flake_id() as id from generate_series(1, ${drafts.length}::int)`,
  )
  const folded = drafts.map(({ name }) => foldedNames({ name, steamName: null, minecraftName: null }))
  const rows = await tx.query<CustomerRow>(sql`
    insert into customer (id, store_id, steam_id, minecraft_uuid, minecraft_platform, xbox_xuid, name, metadata,
      folded_name, search_text, uncommon_parts, created_at)
    select id, ${storeId}::bigint, steam_id, minecraft_uuid, minecraft_platform, xbox_xuid, name, metadata::jsonb,
      folded_name, search_text, array(select jsonb_array_elements_text(uncommon_parts)), ${createdAt}::timestamptz
    from unnest(
      ${ids.map(({ id }) => id)}::bigint[], ${column(drafts, 'steamId')}::bigint[],
      ${column(drafts, 'minecraftUuid')}::uuid[], ${column(drafts, 'minecraftPlatform')}::text[],
      ${column(drafts, 'xboxXuid')}::text[], ${column(drafts, 'name')}::text[],
      ${drafts.map(({ metadata }) => JSON.stringify(metadata))}::text[],
      ${column(folded, 'foldedName')}::text[], ${column(folded, 'searchText')}::text[],
      ${folded.map((names) => JSON.stringify(names.uncommonParts))}::jsonb[]
    ) as draft (id, steam_id, minecraft_uuid, minecraft_platform, xbox_xuid, name, metadata, folded_name, search_text,
      uncommon_parts)
    order by steam_id, minecraft_uuid, xbox_xuid
    returning ${customerColumns}`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap(({ id }) => byId.get(id) ?? [])
}

/** The ids of the store's customers that have any of the drafts' ids. */
export async function findTakenIds(db: Queryable, storeId: string, drafts: readonly UniqueIds[]): Promise<UniqueIds[]> {
  return await db.query<UniqueIds>(sql`
    select steam_id as "steamId", minecraft_uuid as "minecraftUuid", xbox_xuid as "xboxXuid" from customer
    where store_id = ${storeId} and steam_id = any(${present(drafts, 'steamId')}::bigint[])
    union
    select steam_id, minecraft_uuid, xbox_xuid from customer
    where store_id = ${storeId} and minecraft_uuid = any(${present(drafts, 'minecraftUuid')}::uuid[])
    union
    select steam_id, minecraft_uuid, xbox_xuid from customer
    where store_id = ${storeId} and xbox_xuid = any(${present(drafts, 'xboxXuid')}::text[])`)
}

function column<Item, Name extends keyof Item>(items: readonly Item[], name: Name): Item[Name][] {
  return items.map((item) => item[name])
}

function present(drafts: readonly UniqueIds[], name: keyof UniqueIds): string[] {
  return drafts.map((draft) => draft[name]).filter((id) => id !== null)
}
