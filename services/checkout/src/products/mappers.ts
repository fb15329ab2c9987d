import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { actorFromText, enumFromProto, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import {
  type CatalogProductSchema,
  type ProductCommandSchema,
  type ProductSchema,
  type ProductTermsSchema,
  type ProductCommand as ProtoCommand,
  type StockLimit as ProtoLimit,
  IntervalScale as ProtoScale,
  CommandStage as ProtoStage,
  type ProductTerms as ProtoTerms,
  type StockLimitSchema,
} from '@storekeep/proto/checkout/v1/product'
import type { CreateProductRequest, UpdateProductRequest } from '@storekeep/proto/checkout/v1/products_service'
import type { ProductRow } from './db/product-repository.ts'
import type { CatalogProduct } from './domain/catalog.ts'
import type { CommandStage, IntervalScale, ProductCommand, ProductTerms, StockLimit } from './domain/product.ts'
import type { CommandInput } from './domain/product-commands.ts'
import type { ProductInput } from './domain/product-draft.ts'
import type { TermsInput } from './domain/product-terms.ts'
import { noStockLimit, type StockAvailable } from './domain/stock.ts'
import type { StockLimitInput } from './domain/stock-limit.ts'

/** @param available only in responses */
export function productToProto(row: ProductRow, available?: StockAvailable): MessageInitShape<typeof ProductSchema> {
  return present({
    id: row.id,
    storeId: row.storeId,
    terms: termsToProto(row),
    createdBy: actorFromText(row.createdBy),
    createdAt: timestampFromDate(row.createdAt),
    updatedBy: row.updatedBy === null ? undefined : actorFromText(row.updatedBy),
    updatedAt: timestampOrAbsent(row.updatedAt),
    version: BigInt(row.version),
    versionId: row.versionId,
    stockAvailable: available && stockToProto(available),
    enabled: row.enabled,
    sortOrder: row.sortOrder,
  })
}

/** The product in a response, with the units that its stock limits leave. */
export function productResponse(row: ProductRow, available: StockAvailable = noStockLimit) {
  return productToProto(row, available)
}

/** @param stock without a customer */
export function catalogProductToProto(
  row: CatalogProduct,
  { storeAvailable }: StockAvailable = noStockLimit,
): MessageInitShape<typeof CatalogProductSchema> {
  const { subscriptionIntervalScale: scale, removeAfterTimeScale } = row
  return present({
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    label: row.label,
    imageUrl: row.imageUrl,
    price: row.price,
    allowOneTimePurchase: row.allowOneTimePurchase,
    allowSubscription: row.allowSubscription,
    subscriptionIntervalValue: row.subscriptionIntervalValue,
    subscriptionIntervalScale: scale && scaleToProto[scale],
    tags: [...row.tags],
    customVariableIds: [...row.customVariableIds],
    isGiftingDisabled: row.isGiftingDisabled,
    singleGameServerOnly: row.singleGameServerOnly,
    gameServerIds: [...row.gameServerIds],
    enabledUntil: timestampOrAbsent(row.enabledUntil),
    removeAfterEnabled: row.removeAfterEnabled,
    removeAfterTimeValue: row.removeAfterTimeValue,
    removeAfterTimeScale: removeAfterTimeScale && scaleToProto[removeAfterTimeScale],
    stockAvailable: storeAvailable === undefined ? undefined : BigInt(storeAvailable),
    requiredProductIds: [...row.requiredProductIds],
    requiredProductAll: row.requiredProductAll,
    allowConcurrentActiveItems: row.allowConcurrentActiveItems,
    sortOrder: row.sortOrder,
  })
}

function stockToProto({ storeAvailable, customerAvailable }: StockAvailable) {
  return present({
    storeAvailable: storeAvailable === undefined ? undefined : BigInt(storeAvailable),
    customerAvailable: customerAvailable === undefined ? undefined : BigInt(customerAvailable),
  })
}

export function productFromProto({
  product,
  enabled = true,
  sortOrder = 0,
}: CreateProductRequest | UpdateProductRequest): ProductInput {
  return { ...termsFromProto(product), enabled, sortOrder }
}

/** Absent terms have no fields set. */
export function termsFromProto(terms: ProtoTerms | undefined): TermsInput {
  if (!terms) return nothing
  const { $typeName, $unknown, enabledAt, enabledUntil, commands, storeStockLimit, customerStockLimit, ...rest } = terms
  return {
    ...rest,
    subscriptionIntervalScale: enumFromProto(scaleToProto, rest.subscriptionIntervalScale),
    enabledAt: enabledAt && timestampDate(enabledAt),
    enabledUntil: enabledUntil && timestampDate(enabledUntil),
    commands: commands.map(commandFromProto),
    removeAfterTimeScale: enumFromProto(scaleToProto, rest.removeAfterTimeScale),
    storeStockLimit: storeStockLimit && limitFromProto(storeStockLimit),
    customerStockLimit: customerStockLimit && limitFromProto(customerStockLimit),
  }
}

function commandFromProto({ $typeName, $unknown, ...command }: ProtoCommand): CommandInput {
  const { stage, overrideExecuteOnGameserverIds: overrideGameServerIds, ...rest } = command
  return { ...rest, stage: enumFromProto(stageToProto, stage), overrideGameServerIds }
}

/** A quantity far beyond the maximum loses digits, not its violation. */
function limitFromProto({ $typeName, $unknown, quantity, timeScale, ...rest }: ProtoLimit): StockLimitInput {
  return {
    ...rest,
    quantity: quantity === undefined ? undefined : Number(quantity),
    timeScale: enumFromProto(scaleToProto, timeScale),
  }
}

export function termsToProto(terms: ProductTerms): MessageInitShape<typeof ProductTermsSchema> {
  const { subscriptionIntervalScale: scale } = terms
  return present({
    slug: terms.slug,
    name: terms.name,
    description: terms.description,
    label: terms.label,
    price: terms.price,
    allowOneTimePurchase: terms.allowOneTimePurchase,
    allowSubscription: terms.allowSubscription,
    subscriptionIntervalValue: terms.subscriptionIntervalValue,
    subscriptionIntervalScale: scale && scaleToProto[scale],
    tags: [...terms.tags],
    customVariableIds: [...terms.customVariableIds],
    isHidden: terms.isHidden,
    isCouponsDisabled: terms.isCouponsDisabled,
    isGiftingDisabled: terms.isGiftingDisabled,
    isAffiliateLinksDisabled: terms.isAffiliateLinksDisabled,
    enabledAt: timestampOrAbsent(terms.enabledAt),
    enabledUntil: timestampOrAbsent(terms.enabledUntil),
    metadata: terms.metadata,
    gameServerIds: [...terms.gameServerIds],
    singleGameServerOnly: terms.singleGameServerOnly,
    commands: terms.commands.map(commandToProto),
    removeAfterEnabled: terms.removeAfterEnabled,
    removeAfterTimeValue: terms.removeAfterTimeValue,
    removeAfterTimeScale: terms.removeAfterTimeScale && scaleToProto[terms.removeAfterTimeScale],
    storeStockLimit: terms.storeStockLimit && limitToProto(terms.storeStockLimit),
    customerStockLimit: terms.customerStockLimit && limitToProto(terms.customerStockLimit),
    stockLimitDoNotIncludeRemoved: terms.stockLimitDoNotIncludeRemoved,
    requiredProductIds: [...terms.requiredProductIds],
    requiredProductAll: terms.requiredProductAll,
    allowConcurrentActiveItems: terms.allowConcurrentActiveItems,
    imageUrl: terms.imageUrl,
  })
}

function commandToProto(command: ProductCommand): MessageInitShape<typeof ProductCommandSchema> {
  const { stage, overrideGameServerIds, ...rest } = command
  return { ...rest, stage: stageToProto[stage], overrideExecuteOnGameserverIds: [...overrideGameServerIds] }
}

function limitToProto({ quantity, timeScale, ...rest }: StockLimit): MessageInitShape<typeof StockLimitSchema> {
  return present({
    ...rest,
    quantity: quantity === null ? null : BigInt(quantity),
    timeScale: timeScale && scaleToProto[timeScale],
  })
}

export const scaleToProto = {
  day: ProtoScale.DAY,
  week: ProtoScale.WEEK,
  month: ProtoScale.MONTH,
  year: ProtoScale.YEAR,
} as const satisfies Record<IntervalScale, ProtoScale>

const stageToProto = {
  on_purchase: ProtoStage.ON_PURCHASE,
  on_expire: ProtoStage.ON_EXPIRE,
  on_refund: ProtoStage.ON_REFUND,
  on_renew: ProtoStage.ON_RENEW,
  on_chargeback: ProtoStage.ON_CHARGEBACK,
  on_trial_start: ProtoStage.ON_TRIAL_START,
  on_trial_expire: ProtoStage.ON_TRIAL_EXPIRE,
} as const satisfies Record<CommandStage, ProtoStage>

const nothing: TermsInput = {
  name: '',
  price: 0n,
  allowOneTimePurchase: false,
  allowSubscription: false,
  tags: [],
  customVariableIds: [],
  isHidden: false,
  isCouponsDisabled: false,
  isGiftingDisabled: false,
  isAffiliateLinksDisabled: false,
  metadata: {},
  gameServerIds: [],
  singleGameServerOnly: false,
  commands: [],
  removeAfterEnabled: false,
  stockLimitDoNotIncludeRemoved: false,
  requiredProductIds: [],
  requiredProductAll: false,
  allowConcurrentActiveItems: true,
}
