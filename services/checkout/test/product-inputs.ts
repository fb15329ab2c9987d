import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { CallOptions, Client } from '@storekeep/common/grpc'
import {
  CommandStage,
  IntervalScale,
  type Product,
  type ProductTermsSchema,
} from '@storekeep/proto/checkout/v1/product'
import type { ProductsService } from '@storekeep/proto/checkout/v1/products_service'

export type Terms = MessageInitShape<typeof ProductTermsSchema>

/** The required terms of a product. */
export const least = { name: 'VIP rank', price: 999n, allowOneTimePurchase: true } satisfies Terms

/** The variable of `everything`, which exists in every store. */
export const variableOfEverything = '411486491630370832'

/** The game server of `everything`, which exists in every store. */
export const serverOfEverything = '411486491630370833'

/** Terms with every field. */
export const everything = {
  slug: 'VIP-rank',
  name: 'VIP rank 🦊',
  description: 'Priority in the queue',
  label: 'New',
  price: 1_000_000_000_000n,
  allowOneTimePurchase: true,
  allowSubscription: true,
  subscriptionIntervalValue: 3,
  subscriptionIntervalScale: IntervalScale.MONTH,
  tags: ['411486491630370831', '411486491630370830'],
  customVariableIds: [variableOfEverything],
  isHidden: true,
  isCouponsDisabled: true,
  isGiftingDisabled: true,
  isAffiliateLinksDisabled: true,
  enabledAt: timestampFromDate(new Date('2026-12-01T00:00:00.000Z')),
  enabledUntil: timestampFromDate(new Date('2027-01-01T00:00:00.000Z')),
  metadata: { command: 'grant vip' },
  gameServerIds: [serverOfEverything],
  singleGameServerOnly: true,
  commands: [
    {
      stage: CommandStage.ON_PURCHASE,
      content: 'give {customer.name} {variables.kit}',
      onlineOnly: true,
      overrideExecuteOnGameserverIds: [serverOfEverything],
      delaySeconds: 60,
      requiredSlots: 1,
    },
    {
      stage: CommandStage.ON_EXPIRE,
      content: 'take {customer.name} {{x}',
      onlineOnly: false,
      overrideExecuteOnGameserverIds: [],
      delaySeconds: 0,
      requiredSlots: 0,
    },
  ],
  removeAfterEnabled: true,
  removeAfterTimeValue: 30,
  removeAfterTimeScale: IntervalScale.DAY,
  storeStockLimit: { enabled: true, quantity: 1000n, includeTrials: false },
  customerStockLimit: {
    enabled: true,
    quantity: 2n,
    timeValue: 1,
    timeScale: IntervalScale.WEEK,
    includeTrials: true,
  },
  stockLimitDoNotIncludeRemoved: true,
  requiredProductAll: true,
  allowConcurrentActiveItems: true,
  imageUrl: 'https://shop.example/vip.png',
} satisfies Terms

/** The product as events and exports contain it. */
export function recordOf({ stockAvailable: _, ...product }: Product) {
  return product
}

export async function createTestProduct(
  { client }: { client: Client<typeof ProductsService> },
  options: CallOptions,
  terms: Terms = {},
): Promise<Product> {
  const { product } = await client.createProduct({ product: { ...least, ...terms } }, options)
  if (!product) throw new Error('CreateProduct returned no product')
  return product
}
