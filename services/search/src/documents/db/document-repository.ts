import sql, { type Sql } from 'sql-template-tag'
import type { DocumentRow } from './schema.ts'
import { documentTable } from './table-names.ts'

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
