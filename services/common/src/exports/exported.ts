import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf'
import { encode } from '@storekeep/proto/codec'
import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'

/** A type of record that a service exports; see `exported`. */
export interface Exported {
  /** Name of the record type in event subjects. */
  aggregate: string
  /** The `from` item to read; has `store_id`, `id` and `version`. */
  source: Sql
  columns: Sql
  /** Whether one record can take hundreds of KiB. */
  isLarge: boolean
  /** Serializes the message of a row. */
  encode(row: object): Uint8Array
}

/**
 * Defines how records of one type are exported.
 * @param parts.source a table or an aliased subquery with the records of all stores; it is read in the order of
 * `store_id` and `id`, which needs an index
 * @param parts.columns the columns that `toMessage` needs, including `id`, `store_id as "storeId"` and `version`
 * @param parts.isLarge whether one record can take hundreds of KiB, so that a thousand of them must not be loaded together
 * @param parts.toMessage maps a row to the resource, as in events
 */
export function exported<Row extends object, S extends DescMessage>(parts: {
  aggregate: string
  source: Sql
  columns: Sql
  isLarge?: boolean
  schema: S
  toMessage: (row: Row) => MessageInitShape<S>
}): Exported {
  const { aggregate, source, columns, isLarge = false, schema, toMessage } = parts
  return {
    aggregate,
    source,
    columns,
    isLarge,
    encode: (row) => encode(schema, toMessage(row as Row)),
  }
}

/** SQL condition for the records after a position. */
export function afterPosition({ storeId, id }: Position): Sql {
  return sql`(store_id, id) > (${storeId}::bigint, ${id}::bigint)`
}

/** A position in the order of store id and record id. No record need exist there. */
export interface Position {
  storeId: string
  id: string
}

export const beforeAll: Position = { storeId: '0', id: '0' }
