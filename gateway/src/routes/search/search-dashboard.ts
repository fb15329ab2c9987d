import { type SearchedRecord, searchedRecords } from '@storekeep/proto/conventions/searched-records'
import type { SearchFacet, SearchResponse } from '@storekeep/proto/search/v1/search_service'
import { z } from 'zod'
import { endpoint, type Reply } from '../../http/endpoint.ts'
import { text } from '../../schemas/fields.ts'
import { type PageQuery, pageQuery, pageRequest } from '../../schemas/page.ts'
import { banExample } from '../bans/ban-dto.ts'
import { hintsMessage, searchHints } from './search-hints.ts'
import { resultDto, resultSchema, resultTypes } from './search-result-dto.ts'

const resultType = z.enum(['unknown', ...searchedRecords]).meta({
  id: 'DashboardSearchResultTypeDto',
  description: '`unknown` restricts nothing.',
})

const facets = z.object(
  Object.fromEntries(searchedRecords.map((name) => [name, z.int().min(0)])) as Record<SearchedRecord, z.ZodInt>,
)

export const searchDashboard = endpoint({
  operationId: 'Dashboard_Search',
  tag: 'Dashboard',
  summary: 'Search all records of a store',
  description:
    'Customers by their names and ids, bans by reason and identities, coupons and affiliate links by code and note, ' +
    'custom variables by identifier and name, products by name and slug, checkout sessions by customer and metadata. ' +
    'Every word of `query` must be found: as a word, its beginning or a part of it, in any case, with or without ' +
    'accents; words of four letters and more with one typo too. The record whose id is the query leads the first page; ' +
    'all else is in the order of ids, newest first. `facets` counts the hits of every type, exactly up to 10,000 and as 10,000 above, whatever the page or ' +
    '`search_result_type`. Changes are found a moment after they were made.',
  method: 'get',
  path: '/v1/stores/{storeId}/dashboard/search',
  auth: 'api-key',
  scope: 'search:read',
  query: z.object({
    query: text(0, 200).optional().meta({ description: 'At most 20 words. Without it the newest records.' }),
    search_hints: searchHints.optional(),
    search_result_type: resultType.optional().meta({ description: 'Only results of this type.' }),
    ...pageQuery,
  }),
  success: {
    status: 200,
    description: 'One page of results, and how many there are of each type.',
    schema: z.object({ results: z.array(resultSchema), facets }).meta({ id: 'SearchDashboardResponseDto' }),
    example: {
      results: [{ type: 'ban', id: banExample.id, score: 70, ban: banExample }],
      facets: { ...noFacets(), ban: 1 },
    },
  },
  async handle({ search }, { query, call }) {
    const { search_hints = {}, search_result_type = 'unknown' } = query
    const request = {
      page: pageRequest(query),
      query: query.query ?? '',
      hints: hintsMessage(search_hints),
      ...(search_result_type !== 'unknown' && { type: resultTypes[search_result_type] }),
    }
    const answer = await search.search(request, call)
    const body = { results: answer.results.map(resultDto), facets: facetsDto(answer.facets) }
    return { body, page: pageOf(query, answer) }
  },
})

function facetsDto(given: readonly SearchFacet[]): Record<SearchedRecord, number> {
  const counts = searchedRecords.map((name) => [
    name,
    Number(given.find(({ type }) => type === resultTypes[name])?.count ?? 0),
  ])
  return Object.fromEntries(counts)
}

function noFacets(): Record<SearchedRecord, number> {
  return facetsDto([])
}

/**
 * The record whose id was asked for is no place in the order of ids: where it is all of a page, what follows begins at
 * an end of that order.
 */
function pageOf(query: PageQuery, { results, page }: SearchResponse): NonNullable<Reply<unknown>['page']> {
  const ordered = results.filter(({ score }) => score !== scoreOfId)
  const start = query.asc ? smallestId : largestId
  return { query, info: page, firstId: ordered[0]?.id, lastId: ordered.at(-1)?.id ?? start }
}

const scoreOfId = 100
const smallestId = '1'
const largestId = '9223372036854775807'
