import type { AppContext, SearchHandlers } from '../../context.ts'
import { getRebuild } from './get-rebuild.ts'
import { startRebuild } from './start-rebuild.ts'
import { verifyRecords } from './verify-records.ts'

export function createRebuildHandlers(ctx: AppContext): Omit<SearchHandlers, 'search'> {
  return {
    startRebuild: startRebuild(ctx),
    getRebuild: getRebuild(ctx),
    verifyRecords: verifyRecords(ctx),
  }
}
