import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { conflictOn } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AppContext } from '../../context.ts'
import { lockProduct, takenSlug, updateProductTerms } from '../../db/product-repository.ts'
import { applyChange, readChange } from '../../domain/product-change.ts'
import { publishProductUpdated } from '../../events/publish-product.ts'
import { productToProto, termsFromProto } from '../../mappers/product.ts'
import type { ProductHandlers } from './index.ts'

export function updateProduct(ctx: AppContext): ProductHandlers['updateProduct'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('product_id', request.productId)
    const change = readChange(termsFromProto(request.product), request.updateMask?.paths ?? [])
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
