import { searchLimits } from '@storekeep/proto/conventions/limits'
import { type SearchedRecord, searchedRecords } from '@storekeep/proto/conventions/searched-records'
import type { SearchFacet, SearchResponse } from '@storekeep/proto/search/v1/search_service'
import { banExample } from '@storekeep/records/bans/ban-dto'
import { int32, text } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint, type Reply } from '../../http/endpoint.ts'
import { type PageQuery, pageQuery, pageRequest } from '../../schemas/page.ts'
import { hintsMessage, searchHints } from './search-hints.ts'
import { resultDto, resultSchema, resultTypes } from './search-result-dto.ts'

const resultType = z.enum(['unknown', ...searchedRecords]).meta({
  id: 'DashboardSearchResultTypeDto',
  description: 'Type of record; `unknown` for no restriction.',
})

const searchedRecord = z
  .enum(searchedRecords)
  .meta({ id: 'SearchedRecordDto', description: 'Type of record that the search finds.' })

const facets = z
  .object(
    Object.fromEntries(
      searchedRecords.map((name) => [name, int32(0).describe(`Number of matching ${name.replace('_', ' ')}s.`)]),
    ) as Record<SearchedRecord, z.ZodInt>,
  )
  .meta({ id: 'SearchFacetsDto', description: 'Number of matches by type of record.' })

const atMost = (count: number) => count.toLocaleString('en')

export const searchDashboard = endpoint({
  operationId: 'searchDashboard',
  tag: 'Dashboard',
  summary: 'Search the dashboard',
  description:
    'Searches customers by name and id, bans by reason and identity, coupons and affiliate links by code and note, custom ' +
    'variables by identifier and name, products by name and slug, checkout sessions by customer and metadata, orders by ' +
    'number, id, email and customer, subscriptions by id, customer and checkout session, and delivery items by the ids of product, ' +
    'order and customer. Every word of `query` must match a word, a prefix or a substring, ignoring case and accents; words of four or more ' +
    'letters tolerate one typo. A query that is a complete id, email or IP address finds only records with exactly this ' +
    'value, if there are any. A record whose id equals the query comes first on the first page; all others are ordered ' +
    'by id, newest first. The index follows changes with a short delay.',
  method: 'get',
  path: '/v1/stores/{storeId}/dashboard/search',
  auth: 'api-key',
  scope: 'search:read',
  query: z.object({
    query: text(0, searchLimits.queryLength)
      .optional()
      .meta({
        description: `Text to search for, at most ${searchLimits.queryWords} words. Omit it for the newest records.`,
      }),
    search_hints: searchHints,
    search_result_type: resultType.optional().meta({ description: 'Returns only results of this type.' }),
    ...pageQuery,
  }),
  success: {
    status: 200,
    description: 'One page of results, and the number of matches of each type.',
    schema: z
      .object({
        results: z.array(resultSchema).describe('The matching records of this page.'),
        facets: facets.describe(
          'Number of matches by type, regardless of the page and `search_result_type`. Exact, except for the types in ' +
            '`facets_at_least`.',
        ),
        facets_at_least: z
          .array(searchedRecord)
          .describe(
            `The types whose counting stopped, so there can be more matches: at ${atMost(searchLimits.facetCount)} matches, ` +
              `or after ${atMost(searchLimits.checkedEntries)} candidates that must be checked one by one, which are the ` +
              `records with the rarest of several words, or half as many that contain a word of the query within another word.`,
          ),
      })
      .meta({ id: 'SearchDashboardResponseDto', description: 'Search results.' }),
    example: {
      results: [{ type: 'ban', id: banExample.id, score: 70, ban: banExample }],
      facets: { ...noFacets(), ban: 1 },
      facets_at_least: [],
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
    const response = await search.search(request, call)
    const body = {
      results: response.results.map(resultDto),
      facets: facetsDto(response.facets),
      facets_at_least: lowerBounds(response.facets),
    }
    return { body, page: pageOf(query, response) }
  },
})

function facetsDto(given: readonly SearchFacet[]): Record<SearchedRecord, number> {
  const counts = searchedRecords.map((name) => [
    name,
    Number(given.find(({ type }) => type === resultTypes[name])?.count ?? 0),
  ])
  return Object.fromEntries(counts)
}

function lowerBounds(given: readonly SearchFacet[]): SearchedRecord[] {
  const types = new Set(given.filter(({ isLowerBound }) => isLowerBound).map(({ type }) => type))
  return searchedRecords.filter((name) => types.has(resultTypes[name]))
}

function noFacets(): Record<SearchedRecord, number> {
  return facetsDto([])
}

/**
 * A match by exact id is not in id order, so it is no cursor. When it is the only result of a page, the next page starts
 * at the beginning of the order.
 */
function pageOf(query: PageQuery, { results, page }: SearchResponse): NonNullable<Reply<unknown>['page']> {
  const ordered = results.filter(({ score }) => score !== scoreOfId)
  const start = query.asc ? smallestId : largestId
  return { query, info: page, firstId: ordered[0]?.id, lastId: ordered.at(-1)?.id ?? start }
}

const scoreOfId = 100
const smallestId = '1'
const largestId = '9223372036854775807'
