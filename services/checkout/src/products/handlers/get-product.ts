import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, ProductHandlers } from '../../context.ts'
import { findProduct } from '../db/product-repository.ts'
import { productResponse } from '../mappers.ts'
import { findStockAvailable } from '../steps/find-stock-available.ts'

export function getProduct(ctx: AppContext): ProductHandlers['getProduct'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const row = await findProduct(ctx.database, storeId, requireFlakeId('product_id', request.productId))
    if (!row) throw errors.notFound('product')
    const customerId = request.customerId === undefined ? null : requireFlakeId('customer_id', request.customerId)
    const stock = { products: [row], customerId, now: ctx.clock.now() }
    const [available] = await findStockAvailable(ctx.database, storeId, stock)
    return { product: productResponse(row, available) }
  }
}
