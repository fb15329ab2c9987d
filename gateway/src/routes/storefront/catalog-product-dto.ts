import type { CatalogProduct } from '@storekeep/proto/checkout/v1/product'
import type { CustomVariable } from '@storekeep/proto/custom_variables/v1/custom_variable'
import { customVariableText } from '@storekeep/records/custom-variables/custom-variable-dto'
import {
  customVariableType,
  priceType,
  priceTypeValues,
  typeValues,
} from '@storekeep/records/custom-variables/custom-variable-types'
import {
  intervalScale,
  productText,
  removeAfterScale,
  scaleName,
  scaleValues,
} from '@storekeep/records/products/product-text'
import { nameOf } from '@storekeep/records/schemas/enums'
import { flakeId, int32, int64 } from '@storekeep/records/schemas/fields'
import { dateTime, printTime } from '@storekeep/records/schemas/times'
import { z } from 'zod'

export const catalogProductDtoSchema = z
  .object({
    id: flakeId.describe('Id of the product.'),
    slug: z.string().nullable().describe(productText.slug),
    name: z.string().describe(productText.name),
    description: z.string().nullable().describe(productText.description),
    label: z.string().nullable().describe(productText.label),
    image_url: z.string().nullable().describe('Copy of the image of the product, as WebP of at most 512 pixels.'),
    price: int64(0).describe(productText.price),
    currency: z.string().describe('Currency of the price: lower-case ISO 4217.'),
    allow_one_time_purchase: z.boolean().describe('Whether the product can be bought once.'),
    allow_subscription: z.boolean().describe('Whether the product can be subscribed to.'),
    subscription_interval_value: int32(1).nullable().describe(productText.subscription_interval_value),
    subscription_interval_scale: intervalScale.nullable().describe(productText.subscription_interval_scale),
    tags: z.array(flakeId).describe('Tags of the product. Some may not be in the list of tags.'),
    custom_variable_ids: z.array(flakeId).describe(productText.custom_variable_ids),
    is_gifting_disabled: z.boolean().describe(productText.is_gifting_disabled),
    single_game_server_only: z.boolean().describe(productText.single_game_server_only),
    enabled_until: dateTime.nullable().describe(productText.enabled_until),
    remove_after_time_value: int32(1).nullable().describe('How long an item lasts; null for unlimited.'),
    remove_after_time_scale: removeAfterScale.nullable().describe(productText.remove_after_time_scale),
    stock_available: int64(0)
      .nullable()
      .describe(
        'Units that are left for all customers together; null without a limit. Further limits apply per customer.',
      ),
    required_product_ids: z.array(flakeId).describe(productText.required_product_ids),
    required_product_all: z.boolean().describe(productText.required_product_all),
    allow_concurrent_active_items: z.boolean().describe(productText.allow_concurrent_active_items),
    sort_order: int32(0).describe(productText.sort_order),
  })
  .meta({ id: 'CatalogProductDto', description: 'A product as shoppers see it.' })

type CatalogProductDto = z.input<typeof catalogProductDtoSchema>

/** @param imageUrl address of the copy */
export function catalogProductDto(
  product: CatalogProduct,
  { currency, imageUrl }: { currency: string; imageUrl: string | undefined },
): CatalogProductDto {
  const lasts = product.removeAfterEnabled
  return {
    id: product.id,
    slug: product.slug ?? null,
    name: product.name,
    description: product.description ?? null,
    label: product.label ?? null,
    image_url: imageUrl ?? null,
    price: Number(product.price),
    currency,
    allow_one_time_purchase: product.allowOneTimePurchase,
    allow_subscription: product.allowSubscription,
    subscription_interval_value: product.subscriptionIntervalValue ?? null,
    subscription_interval_scale: scaleName(product.subscriptionIntervalScale),
    tags: product.tags,
    custom_variable_ids: product.customVariableIds,
    is_gifting_disabled: product.isGiftingDisabled,
    single_game_server_only: product.singleGameServerOnly,
    enabled_until: printTime(product.enabledUntil),
    remove_after_time_value: (lasts ? product.removeAfterTimeValue : undefined) ?? null,
    remove_after_time_scale:
      removeAfterScale.options.find((name) => lasts && scaleValues[name] === product.removeAfterTimeScale) ?? null,
    stock_available: product.stockAvailable === undefined ? null : Number(product.stockAvailable),
    required_product_ids: product.requiredProductIds,
    required_product_all: product.requiredProductAll,
    allow_concurrent_active_items: product.allowConcurrentActiveItems,
    sort_order: product.sortOrder,
  }
}

const questionSchema = z
  .object({
    id: flakeId.describe('Id of the custom variable.'),
    identifier: z.string().describe(customVariableText.identifier),
    name: z.string().describe(customVariableText.name),
    description: z.string().describe(customVariableText.description),
    type: customVariableType.describe(customVariableText.type),
    value_regex: z.string().nullable().describe(customVariableText.value_regex),
    options: z
      .array(
        z
          .object({
            name: z.string().describe(customVariableText.option_name),
            value: z.string().describe(customVariableText.option_value),
            price: int64(Number.MIN_SAFE_INTEGER).describe(customVariableText.option_price),
            price_type: priceType.describe(customVariableText.option_price_type),
            is_default: z.boolean().describe(customVariableText.option_is_default),
          })
          .meta({ id: 'CatalogOptionDto', description: 'One option of a dropdown.' }),
      )
      .describe('Options of a dropdown, in display order; empty for other types.'),
  })
  .meta({ id: 'CatalogCustomVariableDto', description: 'A question that buyers of a product answer.' })

export const catalogProductDetailDtoSchema = catalogProductDtoSchema
  .extend({
    custom_variables: z.array(questionSchema).describe('The questions that buyers answer.'),
    gameservers: z
      .array(
        z
          .object({
            id: flakeId.describe('Id of the game server.'),
            name: z.string().describe('Name of the game server.'),
          })
          .meta({ id: 'CatalogGameServerDto', description: 'A game server that buyers can choose.' }),
      )
      .describe('The game servers among which the buyer chooses; empty unless `single_game_server_only` is true.'),
  })
  .meta({ id: 'CatalogProductDetailDto', description: 'A product with everything that a buyer chooses.' })

export function questionDto(variable: CustomVariable): z.input<typeof questionSchema> {
  return {
    id: variable.id,
    identifier: variable.identifier,
    name: variable.name,
    description: variable.description,
    type: nameOf(typeValues, variable.type),
    value_regex: variable.valueRegex ?? null,
    options: variable.options.map((option) => ({
      name: option.name,
      value: option.value,
      price: Number(option.price),
      price_type: nameOf(priceTypeValues, option.priceType),
      is_default: option.isDefault,
    })),
  }
}

export const catalogProductExample: CatalogProductDto = {
  id: '411486491630370832',
  slug: 'vip-rank',
  name: 'VIP rank',
  description: 'Priority in the queue, and a **badge**.',
  label: 'New',
  image_url: 'https://checkout.example.com/images/411486491596816384/IzzjyEl3G2BIaB3rezq8Ew/512.webp',
  price: 999,
  currency: 'eur',
  allow_one_time_purchase: true,
  allow_subscription: false,
  subscription_interval_value: null,
  subscription_interval_scale: null,
  tags: ['411486491630370830'],
  custom_variable_ids: [],
  is_gifting_disabled: false,
  single_game_server_only: false,
  enabled_until: null,
  remove_after_time_value: 1,
  remove_after_time_scale: 'month',
  stock_available: 58,
  required_product_ids: [],
  required_product_all: false,
  allow_concurrent_active_items: true,
  sort_order: 10,
}
