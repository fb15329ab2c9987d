import type { IntervalScale, Product } from '@storekeep/proto/checkout/v1/product'
import { z } from 'zod'
import { flakeId, int32, int64, metadataText, stringMap } from '../schemas/fields.ts'
import { auditDto, auditExample, auditFields, idFields } from '../schemas/record.ts'
import { dateTime, printTime } from '../schemas/times.ts'
import { productCommandDto, productCommandDtoSchema } from './product-command-dto.ts'
import { intervalScale, productText, removeAfterScale, scaleName, scaleValues } from './product-text.ts'
import { stockAvailableDto, stockAvailableDtoSchema, stockLimitDto, stockLimitDtoSchema } from './stock-dto.ts'

export const productDtoSchema = z
  .object({
    ...idFields('product'),
    version_id: flakeId.describe('Id of the current version of the product. Every change creates a new one.'),
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
    gameservers: z.array(flakeId).describe(productText.gameservers),
    single_game_server_only: z.boolean().describe(productText.single_game_server_only),
    commands: z.array(productCommandDtoSchema).describe(productText.commands),
    remove_after_enabled: z.boolean().describe(productText.remove_after_enabled),
    remove_after_time_value: int32(1).nullable().describe(productText.remove_after_time_value),
    remove_after_time_scale: removeAfterScale.nullable().describe(productText.remove_after_time_scale),
    store_stock_limit: stockLimitDtoSchema.describe(productText.store_stock_limit),
    customer_stock_limit: stockLimitDtoSchema.describe(productText.customer_stock_limit),
    stock_limit_do_not_include_removed: z.boolean().describe(productText.stock_limit_do_not_include_removed),
    stock_available: stockAvailableDtoSchema
      .nullable()
      .describe('Units that the stock limits leave; null in events and search results.'),
    required_product_ids: z.array(flakeId).describe(productText.required_product_ids),
    required_product_all: z.boolean().describe(productText.required_product_all),
    allow_concurrent_active_items: z.boolean().describe(productText.allow_concurrent_active_items),
    image_url: z.string().nullable().describe(productText.image_url),
    enabled: z.boolean().describe(productText.enabled),
    sort_order: int32(0).describe(productText.sort_order),
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
    version_id: product.versionId,
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
    gameservers: terms.gameServerIds,
    single_game_server_only: terms.singleGameServerOnly,
    commands: terms.commands.map(productCommandDto),
    remove_after_enabled: terms.removeAfterEnabled,
    remove_after_time_value: terms.removeAfterTimeValue ?? null,
    remove_after_time_scale: removeAfterName(terms.removeAfterTimeScale),
    store_stock_limit: stockLimitDto(terms.storeStockLimit),
    customer_stock_limit: stockLimitDto(terms.customerStockLimit),
    stock_limit_do_not_include_removed: terms.stockLimitDoNotIncludeRemoved,
    stock_available: stockAvailableDto(product.stockAvailable),
    required_product_ids: terms.requiredProductIds,
    required_product_all: terms.requiredProductAll,
    allow_concurrent_active_items: terms.allowConcurrentActiveItems,
    image_url: terms.imageUrl ?? null,
    enabled: product.enabled,
    sort_order: product.sortOrder,
    ...auditDto(product),
  }
}

function removeAfterName(scale: IntervalScale | undefined): z.output<typeof removeAfterScale> | null {
  return removeAfterScale.options.find((name) => scaleValues[name] === scale) ?? null
}

export const productExample: ProductDto = {
  id: '411486491630370832',
  store_id: '411486491596816384',
  version_id: '411486491630370833',
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
  metadata: { rank: 'vip' },
  gameservers: [],
  single_game_server_only: false,
  commands: [
    {
      stage: 'on_purchase',
      content: 'grant {customer.steam.id} vip',
      online_only: false,
      override_execute_on_gameserver_ids: [],
      delay_seconds: 0,
      required_slots: 0,
    },
  ],
  remove_after_enabled: true,
  remove_after_time_value: 1,
  remove_after_time_scale: 'month',
  store_stock_limit: { enabled: true, quantity: 100, time_value: null, time_scale: null, include_trials: false },
  customer_stock_limit: stockLimitDto(undefined),
  stock_limit_do_not_include_removed: true,
  stock_available: { store_available: 58, customer_available: null },
  required_product_ids: [],
  required_product_all: false,
  allow_concurrent_active_items: true,
  image_url: 'https://shop.example.com/images/vip-rank.png',
  enabled: true,
  sort_order: 10,
  ...auditExample,
}
