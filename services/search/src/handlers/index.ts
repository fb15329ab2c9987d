import type { AppContext, SearchHandlers } from '../context.ts'
import { getRebuild } from './get-rebuild.ts'
import { search } from './search.ts'
import { startRebuild } from './start-rebuild.ts'
import { verifyRecords } from './verify-records.ts'

export function createHandlers(ctx: AppContext): SearchHandlers {
  return {
    search: search(ctx),
    startRebuild: startRebuild(ctx),
    getRebuild: getRebuild(ctx),
    verifyRecords: verifyRecords(ctx),
  }
}
