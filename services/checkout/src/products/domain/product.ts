/** The terms of a product, or of an inline product. Null means none. */
export interface ProductTerms {
  /** Unique among the products of a store, ignoring case. */
  slug: string | null
  name: string
  description: string | null
  label: string | null
  /** Of one unit, in minor units; 0 to 10^12. */
  price: bigint
  allowOneTimePurchase: boolean
  allowSubscription: boolean
  /** Both are set if subscriptions are allowed. */
  subscriptionIntervalValue: number | null
  subscriptionIntervalScale: IntervalScale | null
  /** Snowflake ids. */
  tags: readonly string[]
  customVariableIds: readonly string[]
  isHidden: boolean
  isCouponsDisabled: boolean
  isGiftingDisabled: boolean
  isAffiliateLinksDisabled: boolean
  /** Start of the sale. */
  enabledAt: Date | null
  /** End of the sale. */
  enabledUntil: Date | null
  metadata: Metadata
}

/** The terms of a product, with their names in the API and in the table. */
export const productFields = {
  slug: 'slug',
  name: 'name',
  description: 'description',
  label: 'label',
  price: 'price',
  allowOneTimePurchase: 'allow_one_time_purchase',
  allowSubscription: 'allow_subscription',
  subscriptionIntervalValue: 'subscription_interval_value',
  subscriptionIntervalScale: 'subscription_interval_scale',
  tags: 'tags',
  customVariableIds: 'custom_variable_ids',
  isHidden: 'is_hidden',
  isCouponsDisabled: 'is_coupons_disabled',
  isGiftingDisabled: 'is_gifting_disabled',
  isAffiliateLinksDisabled: 'is_affiliate_links_disabled',
  enabledAt: 'enabled_at',
  enabledUntil: 'enabled_until',
  metadata: 'metadata',
} as const satisfies Record<keyof ProductTerms, string>

export type Metadata = Record<string, string>

export const intervalScales = ['day', 'week', 'month', 'year'] as const
export type IntervalScale = (typeof intervalScales)[number]
