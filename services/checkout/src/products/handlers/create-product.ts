import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { conflictOn } from '@storekeep/common/postgres'
import { findStoredResponse, write } from '@storekeep/common/write'
import type { AppContext, ProductHandlers } from '../../context.ts'
import { insertProduct, takenSlug } from '../db/product-repository.ts'
import { openStock } from '../db/stock-repository.ts'
import { checkProduct } from '../domain/product-draft.ts'
import { hasStockLimit, stockAvailable } from '../domain/stock.ts'
import { publishProductCreated } from '../events/publish.ts'
import { productFromProto, productResponse } from '../mappers.ts'
import { checkReferences, everyField } from '../steps/check-references.ts'

export function createProduct(ctx: AppContext): ProductHandlers['createProduct'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const stored = await findStoredResponse(ctx, call, request)
    if (stored) return stored
    const input = productFromProto(request)
    const product = checkProduct(input)
    await checkReferences(ctx, call, input, everyField)
    const [createdBy, createdAt] = [actorText(call.actor), ctx.clock.now()]
    const created = write(ctx, call, request, async (tx) => {
      const [id, versionId] = [await ctx.ids.next(), await ctx.ids.next()]
      const row = insertProduct(tx, { ...product, id, versionId, storeId, createdBy, createdAt })
      if (hasStockLimit(row)) openStock(tx, storeId, id)
      await publishProductCreated(tx, row, call)
      return { product: productResponse(row, stockAvailable(row, { byStore: 0, byCustomer: undefined })) }
    })
    return conflictOn(takenSlug, created)
  }
}
