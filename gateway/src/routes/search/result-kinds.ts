import type { SearchedRecord } from '@storekeep/proto/agreements/searched-records'
import type { SearchResult } from '@storekeep/proto/search/v1/search_service'
import { SearchResultType } from '@storekeep/proto/search/v1/search_service'
import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'
import { banDto, banDtoSchema } from '../bans/ban-dto.ts'
import { customerDto, customerDtoSchema } from '../customers/customer-dto.ts'

/** Every type of result: what it is called between the services, and how its own resource prints it. */
export const resultTypes = {
  customer: SearchResultType.CUSTOMER,
  ban: SearchResultType.BAN,
  coupon: SearchResultType.COUPON,
  affiliate_link: SearchResultType.AFFILIATE_LINK,
  custom_variable: SearchResultType.CUSTOM_VARIABLE,
  checkout_session: SearchResultType.CHECKOUT_SESSION,
  product: SearchResultType.PRODUCT,
} as const satisfies Record<SearchedRecord, SearchResultType>

/** The record of a result is under the key that is named like its type. */
export const resultSchema = z.discriminatedUnion('type', [
  z.object({ ...common('customer'), customer: customerDtoSchema }),
  z.object({ ...common('ban'), ban: banDtoSchema }),
])

export function resultDto({ id, score, record }: SearchResult): z.input<typeof resultSchema> {
  switch (record.case) {
    case 'customer':
      return { type: 'customer', id, score, customer: customerDto(record.value) }
    case 'ban':
      return { type: 'ban', id, score, ban: banDto(record.value) }
    default:
      throw new Error('The search service answered a result without its record.')
  }
}

function common<Name extends SearchedRecord>(name: Name) {
  return {
    type: z.literal(name),
    id: flakeId,
    score: z
      .int()
      .min(0)
      .max(100)
      .meta({
        description:
          'How well the query fits: 100 the id, 90 a whole value, 70 a word, 50 its beginning, 30 a part of it, 10 with ' +
          'a typo; the worst of several words counts. 0 without a query.',
      }),
  }
}
