import type { Queryable } from '@storekeep/common/postgres'
import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { DocumentRow } from './schema.ts'
import { documentTable, postingTable } from './table-names.ts'

/**
 * Documents that pods of the previous release wrote: they have the key of their type, but not those of their identifiers.
 * @param types what the store has, with that key
 */
export async function selectPreviousDocuments(
  db: Queryable,
  generation: string,
  types: readonly { storeId: string; type: SearchedRecord; key: string }[],
  limit: number,
): Promise<Omit<DocumentRow, 'words' | 'keys' | 'deleted'>[]> {
  return await db.query(sql`
    select document.store_id as "storeId", document.id, document.type, document.version, document.record
    from unnest(
      ${types.map(({ storeId }) => storeId)}::bigint[], ${types.map(({ type }) => type)}::text[],
      ${types.map(({ key }) => key)}::bigint[]
    ) of (store_id, type, key)
    cross join lateral (
      select id from ${postingTable(generation)} posting
      where posting.store_id = of.store_id and posting.type = of.type and posting.term = '#' || to_hex(of.key) limit ${limit}
    ) posting
    join ${documentTable(generation)} document on document.store_id = of.store_id and document.id = posting.id
    limit ${limit}`)
}

/** The stores and types that have documents. */
export async function selectStoreTypes(
  db: Queryable,
  generation: string,
): Promise<{ storeId: string; type: SearchedRecord }[]> {
  return await db.query(sql`
    select distinct store_id as "storeId", type from document_count where generation = ${generation}`)
}

/**
 * The statement that writes distinct documents into a generation. A document that is not newer than the stored one has
 * no effect, so events and exports can arrive in any order.
 * @param options.again also writes documents of the stored version
 */
export function documentWrite(
  generation: string,
  documents: readonly DocumentRow[],
  { again = false }: { again?: boolean } = {},
): Sql {
  const column = <Name extends keyof DocumentRow>(name: Name) => documents.map((document) => document[name])
  const table = documentTable(generation)
  return sql`
    insert into ${table} as known (store_id, id, type, version, deleted, record, words, keys)
    select store_id, id, type, version, deleted, record, words, keys::bigint[]
    from unnest(
      ${column('storeId')}::bigint[], ${column('id')}::bigint[], ${column('type')}::text[],
      ${column('version')}::bigint[], ${column('deleted')}::boolean[], ${column('record')}::bytea[],
      ${column('words')}::text[], ${documents.map(({ keys }) => `{${keys.join()}}`)}::text[]
    ) as written (store_id, id, type, version, deleted, record, words, keys)
    order by store_id, id
    on conflict (store_id, id) do update set
      version = excluded.version, deleted = excluded.deleted, record = excluded.record, words = excluded.words,
      keys = excluded.keys
    where known.version ${again ? raw('<=') : raw('<')} excluded.version`
}
