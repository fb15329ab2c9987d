import { type Violation, violation } from '@storekeep/common/errors'
import { idViolations } from '@storekeep/common/flake'
import { metadataViolations, secureAddressViolation, textViolations } from '@storekeep/common/values'
import { productLimits } from '@storekeep/proto/conventions/limits'
import { type IntervalScale, intervalScales, type ProductTerms } from './product.ts'
import { type CommandInput, commandsViolations, toCommands } from './product-commands.ts'
import { slugViolation } from './slug.ts'
import { type StockLimitInput, spanViolations, stockLimitViolations, toStockLimit } from './stock-limit.ts'

/** Terms as requested, not validated. An absent field is unset. */
export interface TermsInput
  extends Pick<
    ProductTerms,
    | 'name'
    | 'price'
    | 'allowOneTimePurchase'
    | 'allowSubscription'
    | 'tags'
    | 'customVariableIds'
    | 'isHidden'
    | 'isCouponsDisabled'
    | 'isGiftingDisabled'
    | 'isAffiliateLinksDisabled'
    | 'metadata'
    | 'gameServerIds'
    | 'singleGameServerOnly'
    | 'removeAfterEnabled'
    | 'stockLimitDoNotIncludeRemoved'
    | 'requiredProductIds'
    | 'requiredProductAll'
    | 'allowConcurrentActiveItems'
  > {
  slug?: string | undefined
  description?: string | undefined
  label?: string | undefined
  subscriptionIntervalValue?: number | undefined
  /** "invalid" if it is unknown. */
  subscriptionIntervalScale?: IntervalScale | 'invalid' | undefined
  enabledAt?: Date | undefined
  enabledUntil?: Date | undefined
  commands: readonly CommandInput[]
  removeAfterTimeValue?: number | undefined
  /** "invalid" if it is unknown. */
  removeAfterTimeScale?: IntervalScale | 'invalid' | undefined
  storeStockLimit?: StockLimitInput | undefined
  customerStockLimit?: StockLimitInput | undefined
  imageUrl?: string | undefined
}

/**
 * The violations in the terms of a product or an inline product.
 * @param at their path in the request: "lines.0.inline_product", "" for a product
 */
export function termsViolations(input: TermsInput, at = ''): Violation[] {
  const path = (field: string) => (at === '' ? field : `${at}.${field}`)
  return [
    input.slug === undefined ? undefined : slugViolation(input.slug, path('slug')),
    ...textViolations(path('name'), input.name, 1, productLimits.nameLength),
    ...textViolations(path('description'), input.description ?? '', 0, productLimits.descriptionLength),
    ...textViolations(path('label'), input.label ?? '', 0, productLimits.labelLength),
    priceViolation(input.price, path('price')),
    input.allowOneTimePurchase || input.allowSubscription
      ? undefined
      : violation(path('allow_one_time_purchase'), 'required', 'must be true unless subscriptions are allowed'),
    ...intervalViolations(input, path),
    ...idsViolations(input.tags, path('tags'), productLimits.tags),
    ...idsViolations(input.customVariableIds, path('custom_variable_ids'), productLimits.customVariables),
    input.enabledAt && input.enabledUntil && input.enabledUntil <= input.enabledAt
      ? violation(path('enabled_until'), 'min', 'must be later than enabled_at')
      : undefined,
    ...metadataViolations(input.metadata, path('metadata')),
    ...idsViolations(input.gameServerIds, path('gameservers'), productLimits.gameServers),
    ...commandsViolations(input.commands, path('commands')),
    ...removalViolations(input, path),
    ...(input.storeStockLimit ? stockLimitViolations(input.storeStockLimit, path('store_stock_limit')) : []),
    ...(input.customerStockLimit ? stockLimitViolations(input.customerStockLimit, path('customer_stock_limit')) : []),
    ...idsViolations(input.requiredProductIds, path('required_product_ids'), productLimits.requiredProducts),
    secureAddressViolation(path('image_url'), input.imageUrl),
  ].filter((one) => one !== undefined)
}

/** The terms as they are stored. Only for an input without violations. */
export function toTerms(input: TermsInput): ProductTerms {
  return {
    slug: input.slug ?? null,
    name: input.name,
    description: input.description ?? null,
    label: input.label ?? null,
    price: input.price,
    allowOneTimePurchase: input.allowOneTimePurchase,
    allowSubscription: input.allowSubscription,
    subscriptionIntervalValue: input.subscriptionIntervalValue ?? null,
    subscriptionIntervalScale: toScale(input.subscriptionIntervalScale),
    tags: [...new Set(input.tags)],
    customVariableIds: [...new Set(input.customVariableIds)],
    isHidden: input.isHidden,
    isCouponsDisabled: input.isCouponsDisabled,
    isGiftingDisabled: input.isGiftingDisabled,
    isAffiliateLinksDisabled: input.isAffiliateLinksDisabled,
    enabledAt: input.enabledAt ?? null,
    enabledUntil: input.enabledUntil ?? null,
    metadata: input.metadata,
    gameServerIds: [...new Set(input.gameServerIds)],
    singleGameServerOnly: input.singleGameServerOnly,
    commands: toCommands(input.commands),
    removeAfterEnabled: input.removeAfterEnabled,
    removeAfterTimeValue: input.removeAfterTimeValue ?? null,
    removeAfterTimeScale: toScale(input.removeAfterTimeScale),
    storeStockLimit: toStockLimit(input.storeStockLimit),
    customerStockLimit: toStockLimit(input.customerStockLimit),
    stockLimitDoNotIncludeRemoved: input.stockLimitDoNotIncludeRemoved,
    requiredProductIds: [...new Set(input.requiredProductIds)],
    requiredProductAll: input.requiredProductAll,
    allowConcurrentActiveItems: input.allowConcurrentActiveItems,
    imageUrl: input.imageUrl ?? null,
  }
}

function toScale(scale: IntervalScale | 'invalid' | undefined): IntervalScale | null {
  return scale === 'invalid' ? null : (scale ?? null)
}

/** Of one unit. The total of an order is limited separately, to `maxJsonInteger`. */
const maxPrice = BigInt(productLimits.price)

function priceViolation(price: bigint, at: string): Violation | undefined {
  if (price < 0n) return violation(at, 'min', 'must be at least 0')
  return price > maxPrice ? violation(at, 'max', `must be at most ${maxPrice}`) : undefined
}

function intervalViolations(input: TermsInput, path: (field: string) => string): Violation[] {
  const { allowSubscription, subscriptionIntervalValue: value, subscriptionIntervalScale: scale } = input
  const found: Violation[] = []
  if (scale === 'invalid') {
    const expected = `must be one of ${intervalScales.join(', ')}`
    found.push(violation(path('subscription_interval_scale'), 'enum', expected))
  } else if (scale === undefined && (allowSubscription || value !== undefined)) {
    found.push(violation(path('subscription_interval_scale'), 'required', 'is required for subscriptions'))
  }
  if (value === undefined) {
    if (allowSubscription || scale !== undefined) {
      found.push(violation(path('subscription_interval_value'), 'required', 'is required for subscriptions'))
    }
  } else if (value < 1) {
    found.push(violation(path('subscription_interval_value'), 'min', 'must be at least 1'))
  } else {
    const max = productLimits.interval[scale === undefined || scale === 'invalid' ? 'day' : scale]
    if (value > max) found.push(violation(path('subscription_interval_value'), 'max', `must be at most ${max}`))
  }
  return found
}

/** When items are removed. A year would be 12 months. */
function removalViolations(input: TermsInput, path: (field: string) => string): Violation[] {
  const { removeAfterTimeValue: value, removeAfterTimeScale: scale, removeAfterEnabled: isRequired } = input
  return spanViolations(
    { value, scale, isRequired, scales: ['day', 'week', 'month'] },
    { value: path('remove_after_time_value'), scale: path('remove_after_time_scale') },
  )
}

function idsViolations(ids: readonly string[], at: string, max: number): Violation[] {
  if (ids.length > max) return [violation(at, 'length', `must have at most ${max} items`)]
  return ids.flatMap((id, index) => idViolations(`${at}.${index}`, id))
}
