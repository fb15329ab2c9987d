import type { IntervalScale, Product } from '@storekeep/proto/checkout/v1/product'
import { z } from 'zod'
import { flakeId, int32, int64, metadataText, stringMap } from '../schemas/fields.ts'
import { auditDto, auditExample, auditFields, idFields } from '../schemas/record.ts'
import { dateTime, printTime } from '../schemas/times.ts'
import { intervalScale, intervalScales, productText, scaleValues } from './product-text.ts'

export const productDtoSchema = z
  .object({
    ...idFields('product'),
    slug: z.string().nullable().describe(productText.slug),
    name: z.string().describe(productText.name),
    description: z.string().nullable().describe(productText.description),
    label: z.string().nullable().describe(productText.label),
    price: int64(0).describe(productText.price),
    allow_one_time_purchase: z.boolean().describe(productText.allow_one_time_purchase),
    allow_subscription: z.boolean().describe(productText.allow_subscription),
    subscription_interval_value: int32(1).nullable().describe(productText.subscription_interval_value),
    subscription_interval_scale: intervalScale.nullable().describe(productText.subscription_interval_scale),
    tags: z.array(flakeId).describe(productText.tags),
    custom_variable_ids: z.array(flakeId).describe(productText.custom_variable_ids),
    is_hidden: z.boolean().describe(productText.is_hidden),
    is_coupons_disabled: z.boolean().describe(productText.is_coupons_disabled),
    is_gifting_disabled: z.boolean().describe(productText.is_gifting_disabled),
    is_affiliate_links_disabled: z.boolean().describe(productText.is_affiliate_links_disabled),
    enabled_at: dateTime.nullable().describe(productText.enabled_at),
    enabled_until: dateTime.nullable().describe(productText.enabled_until),
    metadata: stringMap.describe(metadataText),
    ...auditFields,
  })
  .meta({ id: 'ProductDto', description: 'A product of the store.' })

export type ProductDto = z.input<typeof productDtoSchema>

export function productDto(product: Product | undefined): ProductDto {
  if (!product?.terms) throw new Error('A service returned no product.')
  const { terms } = product
  return {
    id: product.id,
    store_id: product.storeId,
    slug: terms.slug ?? null,
    name: terms.name,
    description: terms.description ?? null,
    label: terms.label ?? null,
    price: Number(terms.price),
    allow_one_time_purchase: terms.allowOneTimePurchase,
    allow_subscription: terms.allowSubscription,
    subscription_interval_value: terms.subscriptionIntervalValue ?? null,
    subscription_interval_scale: scaleName(terms.subscriptionIntervalScale),
    tags: terms.tags,
    custom_variable_ids: terms.customVariableIds,
    is_hidden: terms.isHidden,
    is_coupons_disabled: terms.isCouponsDisabled,
    is_gifting_disabled: terms.isGiftingDisabled,
    is_affiliate_links_disabled: terms.isAffiliateLinksDisabled,
    enabled_at: printTime(terms.enabledAt),
    enabled_until: printTime(terms.enabledUntil),
    metadata: { ...terms.metadata },
    ...auditDto(product),
  }
}

function scaleName(scale: IntervalScale | undefined): (typeof intervalScales)[number] | null {
  return intervalScales.find((name) => scaleValues[name] === scale) ?? null
}

export const productExample: ProductDto = {
  id: '411486491630370832',
  store_id: '411486491596816384',
  slug: 'vip-rank',
  name: 'VIP rank',
  description: 'Priority in the queue, and a badge.',
  label: null,
  price: 999,
  allow_one_time_purchase: true,
  allow_subscription: false,
  subscription_interval_value: null,
  subscription_interval_scale: null,
  tags: ['411486491630370830'],
  custom_variable_ids: [],
  is_hidden: false,
  is_coupons_disabled: false,
  is_gifting_disabled: false,
  is_affiliate_links_disabled: false,
  enabled_at: null,
  enabled_until: null,
  metadata: { command: 'grant vip' },
  ...auditExample,
}
