import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { conflictOn } from '@storekeep/common/postgres'
import { findStoredResponse, write } from '@storekeep/common/write'
import type { AppContext, ProductHandlers } from '../../context.ts'
import { insertProduct, takenSlug } from '../db/product-repository.ts'
import { checkNewProduct } from '../domain/product-draft.ts'
import { publishProductCreated } from '../events/publish.ts'
import { productToProto, termsFromProto } from '../mappers.ts'

export function createProduct(ctx: AppContext): ProductHandlers['createProduct'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const stored = await findStoredResponse(ctx, call, request)
    if (stored) return stored
    const input = termsFromProto(request.product)
    const terms = checkNewProduct(input)
    await ctx.variables.requireKnown(input.customVariableIds, call)
    const [createdBy, createdAt] = [actorText(call.actor), ctx.clock.now()]
    const created = write(ctx, call, request, async (tx) => {
      const id = await ctx.ids.next()
      const row = insertProduct(tx, { ...terms, id, storeId, createdBy, createdAt })
      await publishProductCreated(tx, row, call)
      return { product: productToProto(row) }
    })
    return conflictOn(takenSlug, created)
  }
}
