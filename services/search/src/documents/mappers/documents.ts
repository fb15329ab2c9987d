import type { MessageInitShape } from '@bufbuild/protobuf'
import { present } from '@storekeep/common/message'
import type { PageInfo } from '@storekeep/proto/common/v1/page'
import { searchLimits } from '@storekeep/proto/conventions/limits'
import { type SearchedRecord, searchedRecords } from '@storekeep/proto/conventions/searched-records'
import {
  type SearchHints,
  type SearchResponseSchema,
  type SearchResultSchema,
  SearchResultType,
} from '@storekeep/proto/search/v1/search_service'
import type { DocumentRow, LiveDocument } from '../db/schema.ts'
import { indexEntry } from '../domain/document-index.ts'
import type { Found } from '../domain/result-page.ts'
import { scoreOf } from '../domain/score.ts'
import type { SearchQuery } from '../domain/search-query.ts'
import type { Hints } from '../domain/searchable.ts'
import { type RecordType, recordTypeOf } from './record-types/index.ts'

/** A version of a record, from an export or an event. */
export interface RecordVersion {
  storeId: string
  id: string
  version: string
  record: Uint8Array
}

export function documentOf(recordType: RecordType, { storeId, id, version, record }: RecordVersion): DocumentRow {
  const entry = indexEntry(storeId, id, recordType.describe(record))
  return { storeId, id, type: recordType.type, version, deleted: false, record: Buffer.from(record), ...entry }
}

/** The row of a deleted record, which keeps older events from restoring it. */
export function tombstoneOf(
  { type }: RecordType,
  { storeId, id, version }: Omit<RecordVersion, 'record'>,
): DocumentRow {
  return { storeId, id, type, version, deleted: true, record: Buffer.alloc(0), words: '', keys: [] }
}

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

/** Undefined for results of any type. */
export function typeFromProto(type: SearchResultType): SearchedRecord | undefined {
  return searchedRecords.find((one) => typeToProto[one] === type)
}

/** @param now for fields that depend on the time, such as an expiry */
export function resultToProto(
  { id, type, record }: LiveDocument,
  { folded, words }: SearchQuery,
  now: Date,
): MessageInitShape<typeof SearchResultSchema> {
  const recordType = recordTypeOf(type as SearchedRecord)
  const score = scoreOf(id, recordType.describe(record), { folded, words })
  const value = recordType.read(record, now)
  // The case matches the message that `read` returns, which the types of a lookup table cannot express.
  return { id, score, record: { case: caseOf[recordType.type], value } } as MessageInitShape<typeof SearchResultSchema>
}

export function searchToProto(
  results: MessageInitShape<typeof SearchResultSchema>[],
  { counts, partial }: Pick<Found, 'counts' | 'partial'>,
  page: Pick<PageInfo, 'hasNext' | 'hasPrevious'>,
): MessageInitShape<typeof SearchResponseSchema> {
  const facets = searchedRecords.map((type) => {
    const count = counts.get(type) ?? 0
    const isLowerBound = count > searchLimits.facetCount || partial.includes(type)
    return { type: typeToProto[type], count: BigInt(Math.min(count, searchLimits.facetCount)), isLowerBound }
  })
  return { results, facets, page }
}

const typeToProto = {
  customer: SearchResultType.CUSTOMER,
  ban: SearchResultType.BAN,
  coupon: SearchResultType.COUPON,
  affiliate_link: SearchResultType.AFFILIATE_LINK,
  custom_variable: SearchResultType.CUSTOM_VARIABLE,
  checkout_session: SearchResultType.CHECKOUT_SESSION,
  product: SearchResultType.PRODUCT,
  order: SearchResultType.ORDER,
  delivery_item: SearchResultType.DELIVERY_ITEM,
  subscription: SearchResultType.SUBSCRIPTION,
} as const satisfies Record<SearchedRecord, SearchResultType>

const caseOf = {
  customer: 'customer',
  ban: 'ban',
  coupon: 'coupon',
  affiliate_link: 'affiliateLink',
  custom_variable: 'customVariable',
  checkout_session: 'checkoutSession',
  product: 'product',
  order: 'order',
  delivery_item: 'deliveryItem',
  subscription: 'subscription',
} as const satisfies Record<SearchedRecord, string>
