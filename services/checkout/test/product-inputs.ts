import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { CallOptions, Client } from '@storekeep/common/grpc'
import { IntervalScale, type Product, type ProductTermsSchema } from '@storekeep/proto/checkout/v1/product'
import type { ProductsService } from '@storekeep/proto/checkout/v1/products_service'

export type Terms = MessageInitShape<typeof ProductTermsSchema>

/** The required terms of a product. */
export const least = { name: 'VIP rank', price: 999n, allowOneTimePurchase: true } satisfies Terms

/** The variable of `everything`, which exists in every store. */
export const variableOfEverything = '411486491630370832'

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
} satisfies Terms

export async function createTestProduct(
  { client }: { client: Client<typeof ProductsService> },
  options: CallOptions,
  terms: Terms = {},
): Promise<Product> {
  const { product } = await client.createProduct({ product: { ...least, ...terms } }, options)
  if (!product) throw new Error('CreateProduct returned no product')
  return product
}
