import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import type { SearchResult } from '@storekeep/proto/search/v1/search_service'
import { SearchResultType } from '@storekeep/proto/search/v1/search_service'
import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'
import { affiliateLinkDto, affiliateLinkDtoSchema } from '../affiliate-links/affiliate-link-dto.ts'
import { banDto, banDtoSchema } from '../bans/ban-dto.ts'
import { checkoutSessionDto, checkoutSessionDtoSchema } from '../checkouts/checkout-session-dto.ts'
import { couponDto, couponDtoSchema } from '../coupons/coupon-dto.ts'
import { customVariableDto, customVariableDtoSchema } from '../custom-variables/custom-variable-dto.ts'
import { customerDto, customerDtoSchema } from '../customers/customer-dto.ts'
import { productDto, productDtoSchema } from '../products/product-dto.ts'

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
  z.object({ ...common('coupon'), coupon: couponDtoSchema }),
  z.object({ ...common('affiliate_link'), affiliate_link: affiliateLinkDtoSchema }),
  z.object({ ...common('custom_variable'), custom_variable: customVariableDtoSchema }),
  z.object({ ...common('checkout_session'), checkout_session: checkoutSessionDtoSchema }),
  z.object({ ...common('product'), product: productDtoSchema }),
])

export function resultDto({ id, score, record }: SearchResult): z.input<typeof resultSchema> {
  switch (record.case) {
    case 'customer':
      return { type: 'customer', id, score, customer: customerDto(record.value) }
    case 'ban':
      return { type: 'ban', id, score, ban: banDto(record.value) }
    case 'coupon':
      return { type: 'coupon', id, score, coupon: couponDto(record.value) }
    case 'affiliateLink':
      return { type: 'affiliate_link', id, score, affiliate_link: affiliateLinkDto(record.value) }
    case 'customVariable':
      return { type: 'custom_variable', id, score, custom_variable: customVariableDto(record.value) }
    case 'checkoutSession':
      return { type: 'checkout_session', id, score, checkout_session: checkoutSessionDto(record.value) }
    case 'product':
      return { type: 'product', id, score, product: productDto(record.value) }
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
