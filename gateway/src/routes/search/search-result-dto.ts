import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import type { SearchResult } from '@storekeep/proto/search/v1/search_service'
import { SearchResultType } from '@storekeep/proto/search/v1/search_service'
import { affiliateLinkDto, affiliateLinkDtoSchema } from '@storekeep/records/affiliate-links/affiliate-link-dto'
import { banDto, banDtoSchema } from '@storekeep/records/bans/ban-dto'
import { checkoutSessionDto, checkoutSessionDtoSchema } from '@storekeep/records/checkouts/checkout-session-dto'
import { couponDto, couponDtoSchema } from '@storekeep/records/coupons/coupon-dto'
import { customVariableDto, customVariableDtoSchema } from '@storekeep/records/custom-variables/custom-variable-dto'
import { customerDto, customerDtoSchema } from '@storekeep/records/customers/customer-dto'
import { deliveryItemDto, deliveryItemDtoSchema } from '@storekeep/records/delivery/delivery-item-dto'
import { orderDto, orderDtoSchema } from '@storekeep/records/orders/order-dto'
import { productDto, productDtoSchema } from '@storekeep/records/products/product-dto'
import { flakeId, int32 } from '@storekeep/records/schemas/fields'
import { subscriptionDto, subscriptionDtoSchema } from '@storekeep/records/subscriptions/subscription-dto'
import { z } from 'zod'

/** The enum value of each type of result in the search service. */
export const resultTypes = {
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

/** The record of a result is in the field named like its type. */
export const resultSchema = z
  .discriminatedUnion('type', [
    result('customer', 'Customer', customerDtoSchema),
    result('ban', 'Ban', banDtoSchema),
    result('coupon', 'Coupon', couponDtoSchema),
    result('affiliate_link', 'AffiliateLink', affiliateLinkDtoSchema),
    result('custom_variable', 'CustomVariable', customVariableDtoSchema),
    result('checkout_session', 'CheckoutSession', checkoutSessionDtoSchema),
    result('product', 'Product', productDtoSchema),
    result('order', 'Order', orderDtoSchema),
    result('delivery_item', 'DeliveryItem', deliveryItemDtoSchema),
    result('subscription', 'Subscription', subscriptionDtoSchema),
  ])
  .meta({ id: 'SearchResultDto', description: 'One match. The record is in the field named like its `type`.' })

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
    case 'order':
      return { type: 'order', id, score, order: orderDto(record.value) }
    case 'deliveryItem':
      return { type: 'delivery_item', id, score, delivery_item: deliveryItemDto(record.value) }
    case 'subscription':
      return { type: 'subscription', id, score, subscription: subscriptionDto(record.value) }
    default:
      throw new Error('The search service returned a result without its record.')
  }
}

function result<Name extends SearchedRecord, Record extends z.ZodType>(name: Name, noun: string, record: Record) {
  const words = name.replace('_', ' ')
  return z
    .object({
      type: z.literal(name).describe('Type of the record, and the name of the field that contains it.'),
      id: flakeId.describe('Id of the record.'),
      score: int32(0, 100).describe(
        'Quality of the match: 100 for the id, 90 for a whole value, 70 for a word, 50 for a prefix, 30 for a substring, ' +
          '10 with a typo. With several words the lowest counts; 0 without a query.',
      ),
      ...({ [name]: record.describe(`The ${words}.`) } as { [Key in Name]: Record }),
    })
    .meta({ id: `${noun}SearchResultDto`, description: `A matching ${words}.` })
}
