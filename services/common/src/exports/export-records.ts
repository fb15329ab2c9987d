import sql from 'sql-template-tag'
import type { Queryable } from '../postgres/index.ts'
import { afterPosition, type Exported, type Position } from './exported.ts'

/**
 * Reads the records after a position: up to `limit`, and up to about 2 MB, which stays below the message limit even if
 * the last record is the largest possible.
 */
export async function exportRecords(
  db: Queryable,
  { source, columns, encode }: Exported,
  after: Position,
  limit: number,
): Promise<{ records: ExportedRecord[]; more: boolean }> {
  const rows = await db.query<ExportedRow>(sql`
    select ${columns} from ${source}
    where ${afterPosition(after)} order by store_id, id limit ${limit + 1}`)
  const records: ExportedRecord[] = []
  let bytes = 0
  for (const row of rows.slice(0, limit)) {
    const record = encode(row)
    if (records.length > 0 && bytes + record.length > maxBytes) break
    bytes += record.length
    records.push({ storeId: row.storeId, id: row.id, version: BigInt(row.version), record })
  }
  return { records, more: records.length < rows.length }
}

const maxBytes = 2 * 1024 * 1024

interface ExportedRow {
  id: string
  storeId: string
  version: string
}

interface ExportedRecord {
  storeId: string
  id: string
  version: bigint
  record: Uint8Array
}
