import { productLimits } from '@storekeep/proto/conventions/limits'
import { z } from 'zod'
import { fails, flakeId, int32, int64, metadata, metadataText, text } from '../../schemas/fields.ts'
import { timeInput } from '../../schemas/times.ts'
import { refuseUnsupported, unsupportedText } from './unsupported-fields.ts'

export const intervalScales = ['day', 'week', 'month', 'year'] as const

export const intervalScale = z.enum(intervalScales).meta({
  id: 'SubscriptionIntervalScaleDto',
  description: 'Unit of the length of a billing interval.',
})

/** Descriptions of the fields of a product, the same in requests and responses. */
export const productText = {
  slug: 'Name of the product in URLs: letters, digits and single hyphens; unique within the store regardless of case.',
  name: 'Name shown to buyers.',
  description: 'Description shown to buyers.',
  label: 'Short label shown on the product, such as "New".',
  price: 'Price of one unit, in the smallest unit of the currency.',
  allow_one_time_purchase: 'Whether the product can be bought once. This or `allow_subscription` must be true.',
  allow_subscription: 'Whether the product can be subscribed to. Requires a subscription interval.',
  subscription_interval_value: 'Length of the billing interval, in units of `subscription_interval_scale`.',
  subscription_interval_scale: 'Unit of the billing interval.',
  tags: 'Tags for coupons to refer to: opaque ids from your own system; no endpoint issues them.',
  custom_variable_ids: 'Custom variables that buyers answer when they buy the product.',
  is_hidden: 'Whether the product is hidden from the storefront. Stored and returned; no effect on checkouts.',
  is_coupons_disabled: 'Whether coupons exclude the product.',
  is_gifting_disabled: 'Whether the product cannot be bought as a gift.',
  is_affiliate_links_disabled: 'Whether affiliate discounts exclude the product.',
  enabled_at: 'When the sale starts; null for immediately.',
  enabled_until: 'When the sale ends; null for never.',
} as const

const name = text(1, productLimits.nameLength).describe(productText.name)
const price = int64(0, productLimits.price).describe(productText.price)

const slug = z
  .string()
  .refine((one) => one.length <= productLimits.slugLength, {
    abort: true,
    ...fails('length', `must have at most ${productLimits.slugLength} characters`),
  })
  .refine((one) => slugPattern.test(one), fails('pattern', 'must be letters and digits, separated by single hyphens'))
  .meta({ override: { pattern: '^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$', maxLength: productLimits.slugLength } })
const slugPattern = /^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/

const fields = {
  slug: slug.nullish().describe(productText.slug),
  name,
  description: text(0, productLimits.descriptionLength).nullish().describe(productText.description),
  label: text(0, productLimits.labelLength).nullish().describe(productText.label),
  price,
  allow_one_time_purchase: z.boolean().nullish().describe(`${productText.allow_one_time_purchase} Default: true.`),
  allow_subscription: z.boolean().nullish().describe(`${productText.allow_subscription} Default: false.`),
  subscription_interval_value: int32(1, productLimits.intervalValue)
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
}

/** Body of a create, and the inline product of a checkout line. */
export const newProduct = refuseUnsupported(z.object(fields)).meta({
  id: 'CreateProductDto',
  description: `What is sold, and on which terms. ${unsupportedText}`,
})

/** Booleans and required fields do not accept null here. */
export const productPatch = refuseUnsupported(
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
  tags: ['411486491630370830'],
  metadata: { command: 'grant vip' },
}
