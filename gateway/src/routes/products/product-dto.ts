import type { IntervalScale, Product } from '@storekeep/proto/checkout/v1/product'
import { z } from 'zod'
import { actorDto, actorDtoSchema, actorExample } from '../../schemas/actor.ts'
import { flakeId, int32, int64 } from '../../schemas/fields.ts'
import { dateTime, printTime } from '../../schemas/times.ts'
import { intervalScales } from './product-fields.ts'
import { scaleValues } from './product-input.ts'

export const productDtoSchema = z
  .object({
    id: flakeId,
    store_id: flakeId,
    slug: z.string().nullable(),
    name: z.string(),
    description: z.string().nullable(),
    label: z.string().nullable(),
    price: int64(0).meta({ description: 'Of one unit, in the smallest unit of the currency.' }),
    allow_one_time_purchase: z.boolean(),
    allow_subscription: z.boolean(),
    subscription_interval_value: int32(1).nullable(),
    subscription_interval_scale: z.enum(intervalScales).nullable(),
    tags: z.array(flakeId),
    custom_variable_ids: z.array(flakeId),
    is_hidden: z.boolean(),
    is_coupons_disabled: z.boolean(),
    is_gifting_disabled: z.boolean(),
    is_affiliate_links_disabled: z.boolean(),
    enabled_at: dateTime.nullable(),
    enabled_until: dateTime.nullable(),
    metadata: z.record(z.string(), z.string()),
    created_by: actorDtoSchema,
    created_at: dateTime,
    updated_by: actorDtoSchema.nullable(),
    updated_at: dateTime.nullable(),
  })
  .meta({ id: 'ProductDto' })

export type ProductDto = z.input<typeof productDtoSchema>

/** A product as the public interface prints it; what has no value is null. */
export function productDto(product: Product | undefined): ProductDto {
  if (!product?.createdAt || !product.terms) throw new Error('A service answered without the product.')
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
    created_by: actorDto(product.createdBy),
    created_at: printTime(product.createdAt),
    updated_by: product.updatedBy ? actorDto(product.updatedBy) : null,
    updated_at: printTime(product.updatedAt),
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
  created_by: actorExample,
  created_at: '2026-11-20T14:35:17.000Z',
  updated_by: null,
  updated_at: null,
}
