import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage, readInParts } from '@storekeep/common/page'
import type { AppContext, ProductHandlers } from '../../context.ts'
import { selectProducts } from '../db/product-repository.ts'
import { productToProto } from '../mappers.ts'

export function listProducts(ctx: AppContext): ProductHandlers['listProducts'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const plan = planPage(request.page)
    const select = (part: typeof plan) => selectProducts(ctx.database, storeId, part)
    const { rows, info } = cutPage(plan, await readInParts(plan, select))
    return { products: rows.map(productToProto), page: info }
  }
}
