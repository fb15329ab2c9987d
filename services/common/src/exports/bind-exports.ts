import { ExportService } from '@storekeep/proto/common/v1/export_service'
import { errors, violation } from '../errors/index.ts'
import { type BoundService, bind } from '../grpc/index.ts'
import type { Database } from '../postgres/index.ts'
import { exportRecords } from './export-records.ts'
import { beforeAll, type Exported, type Position } from './exported.ts'
import { sumRecords } from './sum-records.ts'

/** Binds ExportService for a service that exports these records. */
export function bindExports(database: Database, all: readonly Exported[]): BoundService {
  return bind(ExportService, {
    exportRecords: async ({ aggregate, after, limit }, call) => {
      checkLimit(limit, 1000)
      return await exportRecords(database.scans(call), find(all, aggregate), positionOf(after), limit)
    },
    sumRecords: async ({ aggregate, after, limit }, call) => {
      checkLimit(limit, 100_000)
      return await sumRecords(database.scans(call), find(all, aggregate), positionOf(after), limit)
    },
  })
}

function find(all: readonly Exported[], aggregate: string): Exported {
  const found = all.find((one) => one.aggregate === aggregate)
  if (found) return found
  const known = all.map((one) => one.aggregate).join(', ')
  throw errors.validationFailed([violation('aggregate', 'enum', `must be one of ${known}`)])
}

function checkLimit(limit: number, most: number): void {
  if (limit >= 1 && limit <= most) return
  throw errors.validationFailed([violation('limit', limit < 1 ? 'min' : 'max', `must be from 1 to ${most}`)])
}

function positionOf(after: Position | undefined): Position {
  if (!after) return beforeAll
  const isPlace = (text: string) => /^[0-9]{1,18}$/.test(text) || /^[0-8][0-9]{18}$/.test(text)
  if (isPlace(after.storeId) && isPlace(after.id)) return after
  throw errors.validationFailed([violation('after', 'format', 'must be a store id and a record id')])
}
