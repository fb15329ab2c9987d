import type { Queryable } from '@storekeep/common/postgres'
import sql, { type Sql } from 'sql-template-tag'
import { documentTable } from './document-table.ts'
import type { DocumentRow } from './schema.ts'

/**
 * The statement that writes distinct documents into a generation. A document that is not newer than the stored one has
 * no effect, so events and exports can arrive in any order.
 */
export function documentWrite(generation: string, documents: readonly DocumentRow[]): Sql {
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
    where known.version < excluded.version`
}

/** Counts the documents of the store by type. */
export async function countDocuments(db: Queryable, generation: string, storeId: string): Promise<Map<string, number>> {
  const rows = await db.query<{ type: string; count: string }>(sql`
    select type, sum(count)::bigint as count from document_count
    where generation = ${generation} and store_id = ${storeId} group by type`)
  return new Map(rows.map(({ type, count }) => [type, Number(count)]))
}
