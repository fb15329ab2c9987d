import sql from 'sql-template-tag'
import type { Queryable } from '../postgres/index.ts'
import { sumColumns } from './checksum-sql.ts'
import { afterPosition, type Exported, type Position } from './exported.ts'

/**
 * Computes count and checksum per store of the `limit` records after a position.
 * @returns `last`, the position of the last record, is absent if no record follows
 */
export async function sumRecords(
  db: Queryable,
  { source }: Exported,
  after: Position,
  limit: number,
): Promise<{ sums: StoreSum[]; last?: Position }> {
  const rows = await db.query<SumRow>(sql`
    select store_id as "storeId", ${sumColumns()}, max(id) as "lastId"
    from (
      select store_id, id, version from ${source}
      where ${afterPosition(after)} order by store_id, id limit ${limit}
    ) part
    group by store_id order by store_id`)
  const sums = rows.map(({ storeId, count, checksum }) => ({
    storeId,
    count: BigInt(count),
    checksum: BigInt(checksum),
  }))
  const counted = sums.reduce((sum, { count }) => sum + count, 0n)
  const end = rows.at(-1)
  return end && counted === BigInt(limit) ? { sums, last: { storeId: end.storeId, id: end.lastId } } : { sums }
}

interface SumRow {
  storeId: string
  count: string
  checksum: string
  lastId: string
}

interface StoreSum {
  storeId: string
  count: bigint
  checksum: bigint
}
