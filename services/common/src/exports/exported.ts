import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'

/** One kind of record that a service exports. Make one with `exported`. */
export interface Exported {
  /** As in the subjects of its events. */
  aggregate: string
  /** What `from` of a statement reads it from; has `store_id`, `id` and `version`. */
  source: Sql
  columns: Sql
  /** The message of a row in bytes. */
  encode(row: object): Uint8Array
}

/**
 * Describes how records of one kind are exported.
 * @param parts.source a table, or a statement in brackets with a name, whose rows are the records of all stores and
 * have `store_id`, `id` and `version`; it is read in the order of the first two, for which it needs an index
 * @param parts.columns what `toMessage` needs of a row; `id`, `store_id as "storeId"` and `version` among them
 * @param parts.toMessage the resource as in the events
 */
export function exported<Row extends object, S extends DescMessage>(parts: {
  aggregate: string
  source: Sql
  columns: Sql
  schema: S
  toMessage: (row: Row) => MessageInitShape<S>
}): Exported {
  const { aggregate, source, columns, schema, toMessage } = parts
  return {
    aggregate,
    source,
    columns,
    encode: (row) => toBinary(schema, create(schema, toMessage(row as Row))),
  }
}

/** The part of a `where` that keeps to what follows a place in the order of store and id. */
export function afterPosition({ storeId, id }: Position): Sql {
  return sql`(store_id, id) > (${storeId}::bigint, ${id}::bigint)`
}

/** A place in the order of store and id. */
export interface Position {
  storeId: string
  id: string
}

export const beforeAll: Position = { storeId: '0', id: '0' }
