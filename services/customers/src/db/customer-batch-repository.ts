import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { IdOwner, UniqueIds } from '../domain/customer-batch.ts'
import type { CustomerDraft } from '../domain/customer-draft.ts'
import { searchColumns } from '../domain/search-columns.ts'
import { type CustomerRow, customerColumns } from './schema.ts'

/**
 * Inserts any number of customers with two statements, ordered by account id so that concurrent batches with the same ids
 * wait for each other instead of deadlocking.
 *
 * @returns the rows in the order of the drafts
 * @throws pg.DatabaseError when an id is taken; see `uniqueAccountIds`
 */
export async function insertCustomers(
  tx: Transaction,
  storeId: string,
  drafts: readonly CustomerDraft[],
  createdAt: Date,
): Promise<CustomerRow[]> {
  // Ids are assigned first, to match the returned rows to the drafts.
  const ids = await tx.query<{ id: string }>(
    sql`select flake_id() as id from generate_series(1, ${drafts.length}::int)`,
  )
  const columns = drafts.map(({ name }) => searchColumns({ name, steamName: null, minecraftName: null }))
  const rows = await tx.query<CustomerRow>(sql`
    insert into customer (id, store_id, steam_id, minecraft_uuid, minecraft_platform, xbox_xuid, name, metadata,
      folded_name, search_text, short_ngrams, created_at)
    select id, ${storeId}::bigint, steam_id, minecraft_uuid, minecraft_platform, xbox_xuid, name, metadata::jsonb,
      folded_name, search_text, array(select jsonb_array_elements_text(short_ngrams)), ${createdAt}::timestamptz
    from unnest(
      ${ids.map(({ id }) => id)}::bigint[], ${column(drafts, 'steamId')}::bigint[],
      ${column(drafts, 'minecraftUuid')}::uuid[], ${column(drafts, 'minecraftPlatform')}::text[],
      ${column(drafts, 'xboxXuid')}::text[], ${column(drafts, 'name')}::text[],
      ${drafts.map(({ metadata }) => JSON.stringify(metadata))}::text[],
      ${column(columns, 'foldedName')}::text[], ${column(columns, 'searchText')}::text[],
      ${columns.map((names) => JSON.stringify(names.shortNgrams))}::jsonb[]
    ) as draft (id, steam_id, minecraft_uuid, minecraft_platform, xbox_xuid, name, metadata, folded_name, search_text,
      short_ngrams)
    order by steam_id, minecraft_uuid, xbox_xuid
    returning ${customerColumns}`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap(({ id }) => byId.get(id) ?? [])
}

/** Returns the store's customers that have any id of the drafts. */
export async function findIdOwners(db: Queryable, storeId: string, drafts: readonly UniqueIds[]): Promise<IdOwner[]> {
  return await db.query<IdOwner>(sql`
    select id, steam_id as "steamId", minecraft_uuid as "minecraftUuid", xbox_xuid as "xboxXuid" from customer
    where store_id = ${storeId} and steam_id = any(${present(drafts, 'steamId')}::bigint[])
    union
    select id, steam_id, minecraft_uuid, xbox_xuid from customer
    where store_id = ${storeId} and minecraft_uuid = any(${present(drafts, 'minecraftUuid')}::uuid[])
    union
    select id, steam_id, minecraft_uuid, xbox_xuid from customer
    where store_id = ${storeId} and xbox_xuid = any(${present(drafts, 'xboxXuid')}::text[])`)
}

function column<Item, Name extends keyof Item>(items: readonly Item[], name: Name): Item[Name][] {
  return items.map((item) => item[name])
}

function present(drafts: readonly UniqueIds[], name: keyof UniqueIds): string[] {
  return drafts.map((draft) => draft[name]).filter((id) => id !== null)
}
