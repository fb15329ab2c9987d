import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Call, Handlers } from '@storekeep/common/grpc'
import type { ProductSchema } from '@storekeep/proto/checkout/v1/product'
import type { ProductsService } from '@storekeep/proto/checkout/v1/products_service'
import { newId } from './ids.ts'

/** The products of the checkout service without its rules. */
export function productsHandlers(): Handlers<typeof ProductsService> {
  const one = async (id: string, call: Call) => ({ product: productMessage(id, call) })
  return {
    createProduct: (_request, call) => one(newId(), call),
    getProduct: ({ productId }, call) => one(productId, call),
    listProducts: async (_request, call) => ({
      products: [productMessage(newId(), call)],
      page: { hasNext: false, hasPrevious: false },
    }),
    listCatalogProducts: async () => ({
      products: [{ id: newId(), name: 'VIP rank', price: 999n, allowOneTimePurchase: true }],
      page: { hasNext: false, hasPrevious: false },
    }),
    getCatalogProduct: async () => ({
      product: { id: newId(), name: 'VIP rank', price: 999n, allowOneTimePurchase: true },
    }),
    updateProduct: ({ productId }, call) => one(productId, call),
    deleteProduct: async () => ({}),
  }
}

function productMessage(id: string, { storeId = '', actor }: Call): MessageInitShape<typeof ProductSchema> {
  return {
    id,
    storeId,
    terms: { name: 'VIP rank', price: 999n, allowOneTimePurchase: true },
    createdBy: actor,
    createdAt: timestampFromDate(new Date('2026-11-20T14:35:17.042Z')),
    version: 1n,
    versionId: '8',
    stockAvailable: { storeAvailable: 7n },
    enabled: true,
  }
}
