import { type ExportedRecord, ExportService, type RecordPosition } from '@storekeep/proto/common/v1/export_service'
import { createClient } from '../src/grpc/index.ts'
import type { RunningService } from '../src/service/index.ts'
import { internal } from './call-options.ts'
import { createTestTransport } from './test-identity.ts'

/** Reads every exported record of an aggregate in pages of `limit`. */
export async function exportAll(
  { address, name }: Pick<RunningService, 'address' | 'name'>,
  aggregate: string,
  limit = 1000,
): Promise<{ records: ExportedRecord[]; pages: number }> {
  const transport = createTestTransport(name, address)
  const client = createClient(ExportService, transport)
  const records: ExportedRecord[] = []
  let after: Pick<RecordPosition, 'storeId' | 'id'> | undefined
  try {
    for (let pages = 1; ; pages += 1) {
      const answer = await client.exportRecords({ aggregate, limit, ...(after && { after }) }, internal())
      records.push(...answer.records)
      const last = answer.records.at(-1)
      if (!answer.more || !last) return { records, pages }
      after = { storeId: last.storeId, id: last.id }
    }
  } finally {
    transport.close()
  }
}
