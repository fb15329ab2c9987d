import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { present, timestampOrAbsent } from '@storekeep/common/message'
import type { PageInfo } from '@storekeep/proto/common/v1/page'
import { type SearchedRecord, searchedRecords } from '@storekeep/proto/conventions/searched-records'
import {
  type RebuildSchema,
  RebuildState,
  type SearchHints,
  type SearchResponseSchema,
  type SearchResultSchema,
  SearchResultType,
} from '@storekeep/proto/search/v1/search_service'
import type { GenerationPartRow, GenerationRow, GenerationState, LiveDocument } from './db/schema.ts'
import { scoreOf } from './domain/score.ts'
import type { SearchQuery } from './domain/search-query.ts'
import type { Hints } from './domain/searchable.ts'
import { kindOf } from './kinds/index.ts'

export function hintsFromProto(hints: SearchHints | undefined): Hints<string> {
  if (!hints) return {}
  return present({
    customer_id: hints.customerId,
    steam_id: hints.steamId,
    minecraft_uuid: hints.minecraftUuid,
    xbox_xuid: hints.xboxXuid,
    code: hints.code,
    name: hints.name,
    email: hints.email,
    ip: hints.ip,
  })
}

/** Undefined: no restriction. */
export function typeFromProto(type: SearchResultType): SearchedRecord | undefined {
  return searchedRecords.find((one) => typeToProto[one] === type)
}

/** @param now decides what of the record depends on the time */
export function resultToProto(
  { id, type, record }: LiveDocument,
  { folded, words }: SearchQuery,
  now: Date,
): MessageInitShape<typeof SearchResultSchema> {
  const kind = kindOf(type as SearchedRecord)
  const score = scoreOf(id, kind.describe(record), { folded, words: words.map(({ word }) => word) })
  const value = kind.read(record, now)
  // Of the oneof that member whose message the kind decodes to, which no type can say of a table.
  return { id, score, record: { case: caseOf[kind.type], value } } as MessageInitShape<typeof SearchResultSchema>
}

export function searchAnswer(
  results: MessageInitShape<typeof SearchResultSchema>[],
  counts: ReadonlyMap<string, number>,
  page: Pick<PageInfo, 'hasNext' | 'hasPrevious'>,
): MessageInitShape<typeof SearchResponseSchema> {
  const facets = searchedRecords.map((type) => ({ type: typeToProto[type], count: BigInt(counts.get(type) ?? 0) }))
  return { results, facets, page }
}

export function rebuildToProto(
  row: GenerationRow | undefined,
  parts: readonly GenerationPartRow[],
): MessageInitShape<typeof RebuildSchema> {
  if (!row) throw new Error('A rebuild vanished.')
  return present({
    id: row.id,
    state: stateToProto[row.state],
    startedAt: timestampFromDate(row.startedAt),
    filledAt: timestampOrAbsent(row.filledAt),
    finishedAt: timestampOrAbsent(row.finishedAt),
    parts: parts.map(({ aggregate, filled, checked, drifted }) => ({
      aggregate,
      filled: BigInt(filled),
      checked: BigInt(checked),
      drifted: BigInt(drifted),
    })),
    problem: row.problem,
  })
}

const typeToProto = {
  customer: SearchResultType.CUSTOMER,
  ban: SearchResultType.BAN,
  coupon: SearchResultType.COUPON,
  affiliate_link: SearchResultType.AFFILIATE_LINK,
  custom_variable: SearchResultType.CUSTOM_VARIABLE,
  checkout_session: SearchResultType.CHECKOUT_SESSION,
  product: SearchResultType.PRODUCT,
} as const satisfies Record<SearchedRecord, SearchResultType>

const caseOf = {
  customer: 'customer',
  ban: 'ban',
  coupon: 'coupon',
  affiliate_link: 'affiliateLink',
  custom_variable: 'customVariable',
  checkout_session: 'checkoutSession',
  product: 'product',
} as const satisfies Record<SearchedRecord, string>

const stateToProto: Record<GenerationState, RebuildState> = {
  running: RebuildState.RUNNING,
  live: RebuildState.LIVE,
  replaced: RebuildState.REPLACED,
  failed: RebuildState.FAILED,
}
