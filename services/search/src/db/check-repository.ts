import { sumColumns } from '@storekeep/common/exports'
import type { Queryable } from '@storekeep/common/postgres'
import sql, { empty, type Sql } from 'sql-template-tag'
import { documentTable } from './document-table.ts'

/** Documents of one type between two places in the order of store and id, without the first and with the last. */
export interface DocumentRange {
  generation: string
  type: string
  after: Position
  /** Undefined: to the end. */
  last: Position | undefined
}

interface Position {
  storeId: string
  id: string
}

/** Count and checksum of each store in the range, as owners compute theirs. */
export async function sumDocuments(db: Queryable, range: DocumentRange): Promise<StoreSum[]> {
  return await db.query<StoreSum>(sql`
    select store_id as "storeId", ${sumColumns()} from ${inRange(range)} group by store_id order by store_id`)
}

/** Version of each document in the range, by store and id. */
export async function selectVersions(db: Queryable, range: DocumentRange): Promise<Map<string, string>> {
  const rows = await db.query<{ place: string; version: string }>(sql`
    select store_id || ' ' || id as place, version from ${inRange(range)}`)
  return new Map(rows.map(({ place, version }) => [place, version]))
}

/** True once per interval, to one of those who ask. */
export async function isCheckDue(db: Queryable, intervalMs: number): Promise<boolean> {
  const rows = await db.query(sql`
    update next_check set due_at = now() + ${intervalMs}::float8 * interval '1 millisecond'
    where due_at <= now() returning 1`)
  return rows.length > 0
}

function inRange({ generation, type, after, last }: DocumentRange): Sql {
  const upTo = last ? sql`and (store_id, id) <= (${last.storeId}::bigint, ${last.id}::bigint)` : empty
  return sql`${documentTable(generation)}
    where type = ${type} and not deleted and (store_id, id) > (${after.storeId}::bigint, ${after.id}::bigint) ${upTo}`
}

export interface StoreSum {
  storeId: string
  count: string
  checksum: string
}
