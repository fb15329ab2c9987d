import { z } from 'zod'
import { fails, flakeId, int32, int64, metadata, text } from '../../schemas/fields.ts'
import { timeInput } from '../../schemas/times.ts'

export const intervalScales = ['day', 'week', 'month', 'year'] as const

const name = text(1, 128)
const price = int64(0, 1_000_000_000_000).meta({
  description: 'Of one unit, in the smallest unit of the currency.',
})

const slug = z
  .string()
  .refine((one) => one.length <= 64, { abort: true, ...fails('length', 'must have at most 64 characters') })
  .refine((one) => slugPattern.test(one), fails('pattern', 'must be letters and digits, with single hyphens between'))
  .meta({
    description: 'Unique among the products of the store, in any case.',
    override: { pattern: '^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$', maxLength: 64 },
  })
const slugPattern = /^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/

const newSwitch = z.boolean().nullish()
const changedSwitch = z.boolean().optional()

const members = {
  slug: slug.nullish(),
  name,
  description: text(0, 10_000).nullish(),
  label: text(0, 128).nullish(),
  price,
  allow_one_time_purchase: newSwitch.meta({ description: 'True unless given.' }),
  allow_subscription: newSwitch.meta({ description: 'Needs both members of the interval.' }),
  subscription_interval_value: int32(1, 365).nullish(),
  subscription_interval_scale: z.enum(intervalScales).nullish(),
  tags: z.array(flakeId).max(100).nullish(),
  custom_variable_ids: z
    .array(flakeId)
    .max(50)
    .nullish()
    .meta({ description: 'Custom variables of the store, which a buyer is asked for while they are there.' }),
  is_hidden: newSwitch,
  is_coupons_disabled: newSwitch,
  is_gifting_disabled: newSwitch,
  is_affiliate_links_disabled: newSwitch,
  enabled_at: timeInput.nullish().meta({ description: 'Sold from then on.' }),
  enabled_until: timeInput.nullish().meta({ description: 'Not sold from then on.' }),
  metadata: metadata.nullish(),
}

/** Body of a create, and what a line of a checkout may bring in place of a product of the store. */
export const newProduct = z.object(members).meta({ id: 'CreateProductDto' })

/** Body of a PATCH: what is absent stays; null clears what a product may lack. */
export const productPatch = z
  .object({
    ...members,
    name: name.optional(),
    price: price.optional(),
    allow_one_time_purchase: changedSwitch,
    allow_subscription: changedSwitch,
    is_hidden: changedSwitch,
    is_coupons_disabled: changedSwitch,
    is_gifting_disabled: changedSwitch,
    is_affiliate_links_disabled: changedSwitch,
  })
  .meta({ id: 'UpdateProductDto' })

export const newProductExample: z.input<typeof newProduct> = {
  slug: 'vip-rank',
  name: 'VIP rank',
  description: 'Priority in the queue, and a badge.',
  price: 999,
  tags: ['411486491630370830'],
  metadata: { command: 'grant vip' },
}
