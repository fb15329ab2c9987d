import { type EventHandler, onEvent } from '@storekeep/common/events'
import { ProductCreatedSchema, ProductDeletedSchema, ProductUpdatedSchema } from '@storekeep/proto/checkout/v1/events'
import type { AppContext } from '../../context.ts'
import { planItemsOfVersion } from '../../items/db/plan-repository.ts'
import { insertProductVersion } from '../db/product-version-repository.ts'
import { termsFromProto } from '../mappers.ts'

/** Stores each version of a product, and queues the commands of items whose order has arrived before their version. */
export function onProductChanged(ctx: AppContext): EventHandler {
  return onEvent(
    [ProductCreatedSchema, ProductUpdatedSchema, ProductDeletedSchema],
    async (tx, { storeId, message }) => {
      const { product } = message
      if (storeId === undefined || !product?.terms) return
      await insertProductVersion(tx, {
        storeId,
        id: product.versionId,
        productId: product.id,
        name: product.terms.name,
        slug: product.terms.slug ?? null,
        terms: termsFromProto(product.terms),
        number: String(product.version),
        deleted: message.$typeName === 'storekeep.checkout.v1.ProductDeleted',
      })
      await planItemsOfVersion(tx, storeId, product.versionId, ctx.clock.now())
    },
  )
}
