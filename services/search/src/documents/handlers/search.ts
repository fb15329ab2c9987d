import { errors } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { type Call, requireStore } from '@storekeep/common/grpc'
import { planPage } from '@storekeep/common/page'
import type { AppContext, SearchHandlers } from '../../context.ts'
import { findSearchedGeneration } from '../../rebuilds/db/generation-repository.ts'
import { countDocuments } from '../db/document-repository.ts'
import { findDocuments, type SearchScope, selectDocuments } from '../db/search-repository.ts'
import { isUndefinedTable } from '../db/undefined-table.ts'
import { cutResults, type Found } from '../domain/result-page.ts'
import { readQuery, type SearchQuery } from '../domain/search-query.ts'
import { hintsFromProto, resultToProto, searchToProto, typeFromProto } from '../mappers.ts'

export function search(ctx: AppContext): SearchHandlers['search'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const plan = planPage(request.page)
    const query = readQuery(storeId, request.query, hintsFromProto(request.hints))
    const type = typeFromProto(request.type)
    const find = async (): Promise<Found> => {
      const generation = await findSearchedGeneration(ctx.database)
      if (generation === undefined) throw errors.unavailable(new Error('There is no index yet.'))
      return await findIn(ctx, call, { generation, storeId, type }, query, plan)
    }
    const found = await retryAfterSwap(find)
    const now = ctx.clock.now()
    const { rows, info } = cutResults(plan, found)
    return searchToProto(
      rows.map((row) => resultToProto(row, query, now)),
      found.counts,
      info,
    )
  }
}

async function findIn(
  { database }: AppContext,
  call: Call,
  scope: SearchScope,
  query: SearchQuery,
  plan: ReturnType<typeof planPage>,
): Promise<Found> {
  if (query.matchesNothing) return { rows: [], exact: undefined, counts: new Map() }
  if (query.words.length + query.required.length > 0) {
    const exactId = isFlakeId(query.folded) ? query.folded : undefined
    return await findDocuments(database.scans(call), scope, query, plan, exactId)
  }
  const [rows, counts] = await Promise.all([
    selectDocuments(database, scope, plan),
    countDocuments(database, scope.generation, scope.storeId),
  ])
  return { rows, exact: undefined, counts }
}

/** The generation may be replaced, and its table dropped, before the search reads it. */
async function retryAfterSwap<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find()
  } catch (error) {
    if (!isUndefinedTable(error)) throw error
    return await find()
  }
}
