import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, ProductHandlers } from '../../context.ts'
import { findProduct } from '../db/product-repository.ts'
import { productToProto } from '../mappers.ts'

export function getProduct(ctx: AppContext): ProductHandlers['getProduct'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const row = await findProduct(ctx.database, storeId, requireFlakeId('product_id', request.productId))
    if (!row) throw errors.notFound('product')
    return { product: productToProto(row) }
  }
}
