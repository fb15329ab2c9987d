/** What is sold and on which terms: of a product, or of a line of a checkout that brings its own. Null is "has none". */
export interface ProductTerms {
  /** Unique among the products of a store in any case. */
  slug: string | null
  name: string
  description: string | null
  label: string | null
  /** Of one unit, in minor units; 0 to 10^12. */
  price: bigint
  allowOneTimePurchase: boolean
  allowSubscription: boolean
  /** Both are set when a subscription is allowed. */
  subscriptionIntervalValue: number | null
  subscriptionIntervalScale: IntervalScale | null
  /** Flake ids. */
  tags: readonly string[]
  customVariableIds: readonly string[]
  isHidden: boolean
  isCouponsDisabled: boolean
  isGiftingDisabled: boolean
  isAffiliateLinksDisabled: boolean
  /** Sold from then on. */
  enabledAt: Date | null
  /** Not sold from then on. */
  enabledUntil: Date | null
  metadata: Metadata
}

export type Metadata = Record<string, string>

export const intervalScales = ['day', 'week', 'month', 'year'] as const
export type IntervalScale = (typeof intervalScales)[number]
