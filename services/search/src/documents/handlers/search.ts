import { errors } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import { type PagePlan, planPage } from '@storekeep/common/page'
import type { AppContext, SearchHandlers } from '../../context.ts'
import { findSearchedGeneration, type SearchedGeneration } from '../../rebuilds/db/generation-repository.ts'
import { type SearchScope, selectDocuments } from '../db/search-repository.ts'
import { isUndefinedTable } from '../db/undefined-table.ts'
import { cutResults, type Found } from '../domain/result-page.ts'
import { readQuery, type SearchQuery } from '../domain/search-query.ts'
import { hintsFromProto, resultToProto, searchToProto, typeFromProto } from '../mappers/documents.ts'
import { findDocuments } from '../steps/find-documents.ts'

export function search(ctx: AppContext): SearchHandlers['search'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const plan = planPage(request.page)
    const query = readQuery(storeId, request.query, hintsFromProto(request.hints))
    const type = typeFromProto(request.type)
    const find = async (): Promise<Found> => {
      const generation = await findSearchedGeneration(ctx.database, storeId)
      if (generation === undefined) throw errors.unavailable(new Error('There is no index yet.'))
      return await findIn(ctx, call, generation, { storeId, type }, query, plan)
    }
    const found = await retryAfterSwap(find)
    const now = ctx.clock.now()
    const { rows, info } = cutResults(plan, found)
    return searchToProto(
      rows.map((row) => resultToProto(row, query, now)),
      found,
      info,
    )
  }
}

async function findIn(
  { database }: AppContext,
  call: Call,
  { id: generation, totals }: SearchedGeneration,
  of: Pick<SearchScope, 'storeId' | 'type'>,
  query: SearchQuery,
  plan: PagePlan,
): Promise<Found> {
  const scope = { generation, ...of }
  if (query.matchesNothing) return { rows: [], exact: undefined, counts: new Map(), partial: [] }
  if (query.requirements.length > 0) {
    const scans = database.scans(call, { mayLag: true })
    return await findDocuments({ lookups: database, scans }, { scope, totals }, query, plan)
  }
  return { rows: await selectDocuments(database, scope, plan), exact: undefined, counts: totals, partial: [] }
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
