import { IntervalScale } from '@storekeep/proto/checkout/v1/product'
import { z } from 'zod'

export const intervalScales = ['day', 'week', 'month', 'year'] as const

export const intervalScale = z.enum(intervalScales).meta({
  id: 'SubscriptionIntervalScaleDto',
  description: 'Unit of the length of a billing interval.',
})

/** Descriptions of the fields of a product, the same in requests and responses. */
export const productText = {
  slug: 'Name of the product in URLs: letters, digits and single hyphens; unique within the store regardless of case.',
  name: 'Name shown to buyers.',
  description: 'Description shown to buyers, in Markdown.',
  label: 'Short label shown on the product, such as "New".',
  price: 'Price of one unit, in the smallest unit of the currency.',
  allow_one_time_purchase: 'Whether the product can be bought once. This or `allow_subscription` must be true.',
  allow_subscription: 'Whether the product can be subscribed to. Requires a subscription interval.',
  subscription_interval_value:
    'Length of the billing interval, in units of `subscription_interval_scale`: at most 365 days, 156 weeks, 36 months or 3 years.',
  subscription_interval_scale: 'Unit of the billing interval.',
  tags: 'Tags of the product, by which the storefront groups products and coupons apply. Ids without a tag are accepted.',
  custom_variable_ids: 'Custom variables that buyers answer when they buy the product.',
  is_hidden: 'Whether the product is hidden from the storefront. Stored and returned; no effect on checkouts.',
  is_coupons_disabled: 'Whether coupons exclude the product.',
  is_gifting_disabled: 'Whether the product cannot be bought as a gift.',
  is_affiliate_links_disabled: 'Whether affiliate discounts exclude the product.',
  enabled_at: 'When the sale starts; null for immediately.',
  enabled_until: 'When the sale ends; null for never.',
  gameservers: 'Game servers that receive the commands. Empty: all enabled servers of the store.',
  single_game_server_only:
    'Whether the product is delivered to one of its game servers. A checkout line then requires `selected_gameserver_id`.',
  commands: 'Commands that game servers run, in this order.',
  remove_after_enabled:
    'Whether an item of the product expires after it became active. An item of a subscription expires when its paid period ends ' +
    'without a renewal. Requires `remove_after_time_value` and `remove_after_time_scale`.',
  remove_after_time_value: 'How long an item lasts, in units of `remove_after_time_scale`.',
  remove_after_time_scale: 'Unit of the time that an item lasts.',
  store_stock_limit: 'How many units can be sold to all customers together. Renewals of subscriptions do not count.',
  customer_stock_limit: 'How many units each customer can receive. Renewals of subscriptions do not count.',
  stock_limit_do_not_include_removed:
    'Whether the stock limits stop counting a unit once its item has expired or was revoked.',
  required_product_ids: 'Products of which the recipient must own one, that is, have an item that has not ended.',
  required_product_all: 'Whether the recipient must own all of `required_product_ids`.',
  allow_concurrent_active_items:
    'Whether a customer who owns the product can receive it again. If false, the quantity of a checkout line must be 1.',
  image_url:
    'Image of the product: an https URL of a PNG, JPEG, WebP, GIF or AVIF file of at most 5 MB. Shoppers receive a copy of it.',
  enabled:
    'Whether the storefront shows the product and shoppers can buy it. Existing checkout sessions are not affected.',
  sort_order:
    'Place of the product in lists of the storefront, ascending. Products with the same value are listed oldest first.',
} as const

export const removeAfterScale = z.enum(['day', 'week', 'month']).meta({
  id: 'RemoveAfterTimeScaleDto',
  description: 'Unit of the time that an item lasts.',
})

export const scaleValues = {
  day: IntervalScale.DAY,
  week: IntervalScale.WEEK,
  month: IntervalScale.MONTH,
  year: IntervalScale.YEAR,
} as const satisfies Record<(typeof intervalScales)[number], IntervalScale>

export function scaleName(scale: IntervalScale | undefined): (typeof intervalScales)[number] | null {
  return intervalScales.find((name) => scaleValues[name] === scale) ?? null
}
