import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, ProductHandlers } from '../../context.ts'
import { deleteLockedProduct, lockProduct } from '../db/product-repository.ts'
import { publishProductDeleted } from '../events/publish.ts'

export function deleteProduct(ctx: AppContext): ProductHandlers['deleteProduct'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('product_id', request.productId)
    return write(ctx, call, request, async (tx) => {
      const row = await lockProduct(tx, storeId, id)
      if (!row) throw errors.notFound('product')
      await deleteLockedProduct(tx, row)
      await publishProductDeleted(tx, row, call)
      return {}
    })
  }
}
