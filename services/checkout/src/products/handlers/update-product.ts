import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { conflictOn } from '@storekeep/common/postgres'
import { findStoredResponse, write } from '@storekeep/common/write'
import type { AppContext, ProductHandlers } from '../../context.ts'
import { findProduct, lockProduct, type ProductRow, takenSlug, updateProductFields } from '../db/product-repository.ts'
import { openStock } from '../db/stock-repository.ts'
import type { Product } from '../domain/product.ts'
import { applyChange, readChange } from '../domain/product-change.ts'
import { hasStockLimit } from '../domain/stock.ts'
import { publishProductUpdated } from '../events/publish.ts'
import { productFromProto, productResponse } from '../mappers.ts'
import { checkReferences, mayReferTo } from '../steps/check-references.ts'
import { findStockAvailable } from '../steps/find-stock-available.ts'

export function updateProduct(ctx: AppContext): ProductHandlers['updateProduct'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('product_id', request.productId)
    const stored = await findStoredResponse(ctx, call, request)
    if (stored) return stored
    const change = readChange(productFromProto(request), request.updateMask?.paths ?? [])
    const fields = new Set(Object.keys(change) as (keyof Product)[])
    if (mayReferTo(fields)) {
      const present = await findProduct(ctx.database, storeId, id)
      if (!present) throw errors.notFound('product')
      // Throws for fields that are invalid on their own, before other services are called.
      applyChange(present, change)
      await checkReferences(ctx, call, { ...present, ...change }, fields)
    }
    const versionId = await ctx.ids.next()
    return write(ctx, call, request, async (tx) => {
      const row = await lockProduct(tx, storeId, id)
      if (!row) throw errors.notFound('product')
      const changed = applyChange(row, change)
      const now = ctx.clock.now()
      const available = async (product: ProductRow) => {
        const [found] = await findStockAvailable(tx, storeId, { products: [product], customerId: null, now })
        return found
      }
      if (!changed) return { product: productResponse(row, await available(row)) }
      const by = { versionId, updatedBy: actorText(call.actor), updatedAt: now }
      const written = await conflictOn(takenSlug, updateProductFields(tx, row, changed, by))
      if (hasStockLimit(written)) openStock(tx, storeId, id)
      await publishProductUpdated(tx, written, call)
      return { product: productResponse(written, await available(written)) }
    })
  }
}
