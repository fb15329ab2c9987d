import type { Call, Handlers } from '@storekeep/common/grpc'
import { SearchResultType, type SearchService } from '@storekeep/proto/search/v1/search_service'
import { banMessage } from './fake-bans.ts'
import { newId } from './ids.ts'

/** The search service without its index. */
export function searchHandlers(): Handlers<typeof SearchService> {
  const unused = () => Promise.reject(new Error('not called by the gateway'))
  return {
    search: async (_request, call: Call) => {
      const id = newId()
      return {
        results: [{ id, score: 70, record: { case: 'ban', value: banMessage(id, call) } }],
        facets: [{ type: SearchResultType.BAN, count: 1n }],
        page: { hasNext: false, hasPrevious: false },
      }
    },
    startRebuild: unused,
    getRebuild: unused,
    verifyRecords: unused,
  }
}
