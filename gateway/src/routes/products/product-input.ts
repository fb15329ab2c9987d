import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { present } from '@storekeep/common/message'
import { scaleValues } from '@storekeep/records/products/product-text'
import type { z } from 'zod'
import { productCommandMessage } from './command-fields.ts'
import { type inlineProduct, type newProduct, productPatch } from './product-fields.ts'
import { stockLimitMessage } from './stock-fields.ts'

type ProductBody = z.output<typeof newProduct> | z.output<typeof productPatch>

/** The body as the checkout service expects it, with defaults for absent and null fields. */
export function productInput(body: ProductBody) {
  return present({ product: productTerms(body), enabled: body.enabled, sortOrder: body.sort_order })
}

/** The terms as the checkout service expects them, with defaults for absent and null fields. */
export function productTerms(body: ProductBody | z.output<typeof inlineProduct>) {
  const { subscription_interval_scale: scale, enabled_at, enabled_until } = body
  return present({
    slug: body.slug,
    name: body.name ?? '',
    description: body.description,
    label: body.label,
    price: BigInt(body.price ?? 0),
    allowOneTimePurchase: body.allow_one_time_purchase ?? true,
    allowSubscription: body.allow_subscription ?? false,
    subscriptionIntervalValue: body.subscription_interval_value,
    subscriptionIntervalScale: scale && scaleValues[scale],
    tags: body.tags ?? [],
    customVariableIds: body.custom_variable_ids ?? [],
    isHidden: body.is_hidden ?? false,
    isCouponsDisabled: body.is_coupons_disabled ?? false,
    isGiftingDisabled: body.is_gifting_disabled ?? false,
    isAffiliateLinksDisabled: body.is_affiliate_links_disabled ?? false,
    enabledAt: enabled_at && timestampFromDate(enabled_at),
    enabledUntil: enabled_until && timestampFromDate(enabled_until),
    metadata: body.metadata ?? {},
    gameServerIds: body.gameservers ?? [],
    singleGameServerOnly: body.single_game_server_only ?? false,
    commands: (body.commands ?? []).map(productCommandMessage),
    removeAfterEnabled: body.remove_after_enabled ?? false,
    removeAfterTimeValue: body.remove_after_time_value,
    removeAfterTimeScale: body.remove_after_time_scale && scaleValues[body.remove_after_time_scale],
    storeStockLimit: body.store_stock_limit && stockLimitMessage(body.store_stock_limit),
    customerStockLimit: body.customer_stock_limit && stockLimitMessage(body.customer_stock_limit),
    stockLimitDoNotIncludeRemoved: body.stock_limit_do_not_include_removed ?? false,
    requiredProductIds: body.required_product_ids ?? [],
    requiredProductAll: body.required_product_all ?? false,
    allowConcurrentActiveItems: body.allow_concurrent_active_items ?? true,
    imageUrl: body.image_url,
  })
}

/** The field mask of a PATCH: the fields in its body, including null ones. */
export function productMask(body: z.output<typeof productPatch>): string[] {
  return Object.keys(productPatch.shape).filter((name) => body[name as keyof typeof body] !== undefined)
}
