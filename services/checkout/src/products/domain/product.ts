/** The terms of a product, or of an inline product. Null means none. */
export interface ProductTerms {
  /** Unique among the products of a store, ignoring case. */
  slug: string | null
  name: string
  /** Markdown. */
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
  /** The game servers that receive the commands. Empty: all enabled servers of the store. */
  gameServerIds: readonly string[]
  /** Whether the buyer chooses one of the servers. */
  singleGameServerOnly: boolean
  /** In the order in which they run. */
  commands: readonly ProductCommand[]
  /** Whether an item expires after it became active. Value and scale are then set. */
  removeAfterEnabled: boolean
  removeAfterTimeValue: number | null
  /** Never year. */
  removeAfterTimeScale: IntervalScale | null
  /** Over all customers. */
  storeStockLimit: StockLimit | null
  /** Per customer. */
  customerStockLimit: StockLimit | null
  /** Whether units no longer count once their items have expired or were revoked. */
  stockLimitDoNotIncludeRemoved: boolean
  /** Products of which the recipient must own one, or all of them with `requiredProductAll`. */
  requiredProductIds: readonly string[]
  requiredProductAll: boolean
  /** Whether an owner of the product can buy it again. */
  allowConcurrentActiveItems: boolean
  /** See `secureAddressViolation`. */
  imageUrl: string | null
}

/** What a store sells. */
export interface Product extends ProductTerms {
  /** Whether the storefront shows it and shoppers can buy it. */
  enabled: boolean
  /** Its place in lists of the storefront, ascending; 0 to 1,000,000. */
  sortOrder: number
}

/** A command on game servers. */
export interface ProductCommand {
  stage: CommandStage
  /** With placeholders: see `proto/conventions/placeholders.ts`. */
  content: string
  /** Whether it waits until the player is online. */
  onlineOnly: boolean
  /** Replaces the servers of the product. Empty: those. */
  overrideGameServerIds: readonly string[]
  delaySeconds: number
  /** Free inventory slots that the plugin requires. */
  requiredSlots: number
}

/** How many units can be sold, in total or within a sliding window. */
export interface StockLimit {
  enabled: boolean
  /** Set if the limit is enabled. */
  quantity: number | null
  /** The length of the window; null: all time. Value and scale are set together. */
  timeValue: number | null
  timeScale: IntervalScale | null
  /** Trials do not exist yet, so nothing depends on it. */
  includeTrials: boolean
}

/** The fields of a product, with their names in the API and in the table. */
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
  gameServerIds: 'gameservers',
  singleGameServerOnly: 'single_game_server_only',
  commands: 'commands',
  removeAfterEnabled: 'remove_after_enabled',
  removeAfterTimeValue: 'remove_after_time_value',
  removeAfterTimeScale: 'remove_after_time_scale',
  storeStockLimit: 'store_stock_limit',
  customerStockLimit: 'customer_stock_limit',
  stockLimitDoNotIncludeRemoved: 'stock_limit_do_not_include_removed',
  requiredProductIds: 'required_product_ids',
  requiredProductAll: 'required_product_all',
  allowConcurrentActiveItems: 'allow_concurrent_active_items',
  imageUrl: 'image_url',
  enabled: 'enabled',
  sortOrder: 'sort_order',
} as const satisfies Record<keyof Product, string>

export type Metadata = Record<string, string>

export const intervalScales = ['day', 'week', 'month', 'year'] as const
export type IntervalScale = (typeof intervalScales)[number]

export const commandStages = [
  'on_purchase',
  'on_expire',
  'on_refund',
  'on_renew',
  'on_chargeback',
  'on_trial_start',
  'on_trial_expire',
] as const
export type CommandStage = (typeof commandStages)[number]
