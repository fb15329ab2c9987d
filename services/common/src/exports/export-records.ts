import sql from 'sql-template-tag'
import type { Queryable } from '../postgres/index.ts'
import { afterPosition, type Exported, type Position } from './exported.ts'

/**
 * Reads the records after a position: up to `limit`, and up to about 2 MB, which stays below the message limit even if
 * the last record is the largest possible.
 */
export async function exportRecords(
  db: Queryable,
  { source, columns, isLarge, encode }: Exported,
  after: Position,
  limit: number,
): Promise<{ records: ExportedRecord[]; more: boolean }> {
  const records: ExportedRecord[] = []
  let bytes = 0
  for (let part = isLarge ? firstPart : limit + 1; ; part = Math.min(2 * part, maxPart)) {
    const take = Math.min(part, limit + 1 - records.length)
    const rows = await db.query<ExportedRow>(sql`
      select ${columns} from ${source}
      where ${afterPosition(records.at(-1) ?? after)} order by store_id, id limit ${take}`)
    for (const row of rows) {
      if (records.length === limit) return { records, more: true }
      const record = encode(row)
      if (records.length > 0 && bytes + record.length > maxBytes) return { records, more: true }
      bytes += record.length
      records.push({ storeId: row.storeId, id: row.id, version: BigInt(row.version), record })
    }
    if (rows.length < take) return { records, more: false }
  }
}

const maxBytes = 2 * 1024 * 1024

/**
 * How many large records are read together. Starts small because a few can fill the response; capped by pod memory.
 */
const firstPart = 16
const maxPart = 64

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
