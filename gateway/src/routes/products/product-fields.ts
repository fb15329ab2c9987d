import { productLimits } from '@storekeep/proto/conventions/limits'
import { intervalScale, productText } from '@storekeep/records/products/product-text'
import { fails, flakeId, int32, int64, metadata, metadataText, text } from '@storekeep/records/schemas/fields'
import { timeInput } from '@storekeep/records/schemas/times'
import { z } from 'zod'
import { rejectUnsupported, unsupportedText } from './unsupported-fields.ts'

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
}

/** Body of a create, and the inline product of a checkout line. */
export const newProduct = rejectUnsupported(z.object(fields)).meta({
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
