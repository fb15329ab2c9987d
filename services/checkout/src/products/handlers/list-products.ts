import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage, readInParts } from '@storekeep/common/page'
import type { AppContext, ProductHandlers } from '../../context.ts'
import { selectProducts } from '../db/product-repository.ts'
import { checkProductIds } from '../domain/product-ids.ts'
import { productResponse } from '../mappers.ts'
import { findStockAvailable } from '../steps/find-stock-available.ts'

export function listProducts(ctx: AppContext): ProductHandlers['listProducts'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const plan = planPage(request.page)
    const customerId = request.customerId === undefined ? null : requireFlakeId('customer_id', request.customerId)
    const ids = checkProductIds(request.ids)
    const select = (part: typeof plan) => selectProducts(ctx.database, { storeId, ids }, part)
    const { rows, info } = cutPage(plan, await readInParts(plan, select))
    const stock = { products: rows, customerId, now: ctx.clock.now() }
    const available = await findStockAvailable(ctx.database, storeId, stock)
    return { products: rows.map((row, index) => productResponse(row, available[index])), page: info }
  }
}
