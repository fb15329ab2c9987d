import { productLimits } from '@storekeep/proto/conventions/limits'
import { intervalScale, productText, removeAfterScale } from '@storekeep/records/products/product-text'
import { flakeId, int32, int64, metadata, metadataText, text } from '@storekeep/records/schemas/fields'
import { timeInput } from '@storekeep/records/schemas/times'
import { z } from 'zod'
import { slug } from '../../schemas/slug.ts'
import { secureAddress } from '../../schemas/web-address.ts'
import { productCommand } from './command-fields.ts'
import { stockLimit } from './stock-fields.ts'
import { rejectUnsupported, unsupportedText } from './unsupported-fields.ts'

const name = text(1, productLimits.nameLength).describe(productText.name)
const price = int64(0, productLimits.price).describe(productText.price)

const fields = {
  slug: slug.nullish().describe(productText.slug),
  name,
  description: text(0, productLimits.descriptionLength).nullish().describe(productText.description),
  label: text(0, productLimits.labelLength).nullish().describe(productText.label),
  price,
  allow_one_time_purchase: z.boolean().nullish().describe(`${productText.allow_one_time_purchase} Default: true.`),
  allow_subscription: z.boolean().nullish().describe(`${productText.allow_subscription} Default: false.`),
  subscription_interval_value: int32(1, productLimits.interval.day)
    .nullish()
    .describe(productText.subscription_interval_value),
  subscription_interval_scale: intervalScale.nullish().describe(productText.subscription_interval_scale),
  tags: z.array(flakeId).max(productLimits.tags).nullish().describe(productText.tags),
  custom_variable_ids: z
    .array(flakeId)
    .max(productLimits.customVariables)
    .nullish()
    .describe(productText.custom_variable_ids),
  is_hidden: z.boolean().nullish().describe(`${productText.is_hidden} Default: false.`),
  is_coupons_disabled: z.boolean().nullish().describe(`${productText.is_coupons_disabled} Default: false.`),
  is_gifting_disabled: z.boolean().nullish().describe(`${productText.is_gifting_disabled} Default: false.`),
  is_affiliate_links_disabled: z
    .boolean()
    .nullish()
    .describe(`${productText.is_affiliate_links_disabled} Default: false.`),
  enabled_at: timeInput.nullish().describe(productText.enabled_at),
  enabled_until: timeInput.nullish().describe(productText.enabled_until),
  metadata: metadata.nullish().describe(metadataText),
  gameservers: z.array(flakeId).max(productLimits.gameServers).nullish().describe(productText.gameservers),
  single_game_server_only: z.boolean().nullish().describe(`${productText.single_game_server_only} Default: false.`),
  commands: z.array(productCommand).max(productLimits.commands).nullish().describe(productText.commands),
  remove_after_enabled: z.boolean().nullish().describe(`${productText.remove_after_enabled} Default: false.`),
  remove_after_time_value: int32(1, productLimits.timeValue).nullish().describe(productText.remove_after_time_value),
  remove_after_time_scale: removeAfterScale.nullish().describe(productText.remove_after_time_scale),
  store_stock_limit: stockLimit.nullish().describe(productText.store_stock_limit),
  customer_stock_limit: stockLimit.nullish().describe(productText.customer_stock_limit),
  stock_limit_do_not_include_removed: z
    .boolean()
    .nullish()
    .describe(`${productText.stock_limit_do_not_include_removed} Default: false.`),
  required_product_ids: z
    .array(flakeId)
    .max(productLimits.requiredProducts)
    .nullish()
    .describe(productText.required_product_ids),
  required_product_all: z.boolean().nullish().describe(`${productText.required_product_all} Default: false.`),
  allow_concurrent_active_items: z
    .boolean()
    .nullish()
    .describe(`${productText.allow_concurrent_active_items} Default: true.`),
  image_url: secureAddress.nullish().describe(productText.image_url),
}

/** How the storefront lists a product. */
const listingFields = {
  enabled: z.boolean().nullish().describe(`${productText.enabled} Default: true.`),
  sort_order: int32(0, productLimits.sortOrder).nullish().describe(`${productText.sort_order} Default: 0.`),
}

/** The product of a checkout line that is not stored. */
export const inlineProduct = rejectUnsupported(z.object(fields)).meta({
  id: 'InlineProductDto',
  description: `What is sold, and on which terms. ${unsupportedText}`,
})

/** Body of a create. */
export const newProduct = rejectUnsupported(z.object({ ...fields, ...listingFields })).meta({
  id: 'CreateProductDto',
  description: `What is sold, and on which terms. ${unsupportedText}`,
})

/** Booleans and required fields do not accept null here. */
export const productPatch = rejectUnsupported(
  z.object({
    ...fields,
    name: name.optional(),
    price: price.optional(),
    allow_one_time_purchase: z.boolean().optional().describe(productText.allow_one_time_purchase),
    allow_subscription: z.boolean().optional().describe(productText.allow_subscription),
    is_hidden: z.boolean().optional().describe(productText.is_hidden),
    is_coupons_disabled: z.boolean().optional().describe(productText.is_coupons_disabled),
    is_gifting_disabled: z.boolean().optional().describe(productText.is_gifting_disabled),
    is_affiliate_links_disabled: z.boolean().optional().describe(productText.is_affiliate_links_disabled),
    single_game_server_only: z.boolean().optional().describe(productText.single_game_server_only),
    remove_after_enabled: z.boolean().optional().describe(productText.remove_after_enabled),
    stock_limit_do_not_include_removed: z.boolean().optional().describe(productText.stock_limit_do_not_include_removed),
    required_product_all: z.boolean().optional().describe(productText.required_product_all),
    allow_concurrent_active_items: z.boolean().optional().describe(productText.allow_concurrent_active_items),
    enabled: z.boolean().optional().describe(productText.enabled),
    sort_order: int32(0, productLimits.sortOrder).optional().describe(productText.sort_order),
  }),
).meta({
  id: 'UpdateProductDto',
  description: `Changes to a product. Omitted fields are left unchanged; null clears a nullable field. ${unsupportedText}`,
})

export const newProductExample: z.input<typeof newProduct> = {
  slug: 'vip-rank',
  name: 'VIP rank',
  description: 'Priority in the queue, and a badge.',
  price: 999,
  image_url: 'https://shop.example.com/images/vip-rank.png',
  tags: ['411486491630370830'],
  commands: [{ stage: 'on_purchase', content: 'grant {customer.steam.id} vip', online_only: false }],
}
