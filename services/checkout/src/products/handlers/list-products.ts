import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage } from '@storekeep/common/page'
import type { AppContext, ProductHandlers } from '../../context.ts'
import { selectProducts } from '../db/product-repository.ts'
import { productToProto } from '../mappers.ts'

export function listProducts(ctx: AppContext): ProductHandlers['listProducts'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const plan = planPage(request.page)
    const { rows, info } = cutPage(plan, await selectProducts(ctx.database, storeId, plan))
    return { products: rows.map(productToProto), page: info }
  }
}
