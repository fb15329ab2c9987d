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

export type Metadata = Record<string, string>

export const intervalScales = ['day', 'week', 'month', 'year'] as const
export type IntervalScale = (typeof intervalScales)[number]
