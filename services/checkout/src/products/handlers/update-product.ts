import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { conflictOn } from '@storekeep/common/postgres'
import { findStoredResponse, write } from '@storekeep/common/write'
import type { AppContext, ProductHandlers } from '../../context.ts'
import { findProduct, lockProduct, takenSlug, updateProductTerms } from '../db/product-repository.ts'
import { applyChange, readChange } from '../domain/product-change.ts'
import { publishProductUpdated } from '../events/publish.ts'
import { productToProto, termsFromProto } from '../mappers.ts'

export function updateProduct(ctx: AppContext): ProductHandlers['updateProduct'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('product_id', request.productId)
    const stored = await findStoredResponse(ctx, call, request)
    if (stored) return stored
    const change = readChange(termsFromProto(request.product), request.updateMask?.paths ?? [])
    const { customVariableIds = [] } = change
    if (customVariableIds.length > 0) {
      const present = await findProduct(ctx.database, storeId, id)
      if (!present) throw errors.notFound('product')
      // Throws for fields that are invalid on their own, before other services are called.
      applyChange(present, change)
      await ctx.variables.requireKnown(customVariableIds, call)
    }
    return write(ctx, call, request, async (tx) => {
      const row = await lockProduct(tx, storeId, id)
      if (!row) throw errors.notFound('product')
      const changed = applyChange(row, change)
      if (!changed) return { product: productToProto(row) }
      const by = { updatedBy: actorText(call.actor), updatedAt: ctx.clock.now() }
      const written = await conflictOn(takenSlug, updateProductTerms(tx, row, changed, by))
      await publishProductUpdated(tx, written, call)
      return { product: productToProto(written) }
    })
  }
}
