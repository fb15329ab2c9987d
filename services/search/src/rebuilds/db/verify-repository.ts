import { sumColumns } from '@storekeep/common/exports'
import type { Queryable } from '@storekeep/common/postgres'
import sql, { empty, type Sql } from 'sql-template-tag'
import { documentTable } from '../../documents/db/table-names.ts'

/** Documents of one type after one position, up to and including another. */
export interface DocumentRange {
  generation: string
  type: string
  after: Position
  /** Undefined for all that follow. */
  last: Position | undefined
}

interface Position {
  storeId: string
  id: string
}

/** Count and checksum per store, computed as owners compute theirs. */
export async function sumDocuments(db: Queryable, range: DocumentRange): Promise<StoreSum[]> {
  return await db.query<StoreSum>(sql`
    select store_id as "storeId", ${sumColumns()} from ${inRange(range)} group by store_id order by store_id`)
}

/** The version of each document in the range, by store and id. */
export async function selectVersions(db: Queryable, range: DocumentRange): Promise<Map<string, string>> {
  const rows = await db.query<{ position: string; version: string }>(sql`
    select store_id || ' ' || id as position, version from ${inRange(range)}`)
  return new Map(rows.map(({ position, version }) => [position, version]))
}

/**
 * Claims the verification of the live index. One statement, because every replica executes it every second.
 * @returns the stored results of the live index, which has none before it is built; `isClaimed` once per interval, for one of all
 * replicas
 */
export async function claimVerification(
  db: Queryable,
  intervalMs: number,
): Promise<{ isClaimed: boolean; results: { type: string; drifted: string }[] }> {
  const results = await db.query<{ type: string; drifted: string; isClaimed: boolean }>(sql`
    with claimed as (
      update next_check set due_at = now() + ${intervalMs}::float8 * interval '1 millisecond'
      where due_at <= now() and exists (select from generation where state = 'live') returning 1
    )
    select aggregate as type, drifted, exists (select from claimed) as "isClaimed"
    from generation_part where generation = (select id from generation where state = 'live')`)
  return { isClaimed: results.some((one) => one.isClaimed), results }
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
