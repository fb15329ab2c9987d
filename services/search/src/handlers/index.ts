import type { Handlers } from '@storekeep/common/grpc'
import type { SearchService } from '@storekeep/proto/search/v1/search_service'
import type { AppContext } from '../context.ts'
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

export type SearchHandlers = Handlers<typeof SearchService>
