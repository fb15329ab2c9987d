import { errors } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, ProductHandlers } from '../../context.ts'
import { findCatalogProduct } from '../db/catalog-repository.ts'
import { catalogProductToProto } from '../mappers.ts'
import { findCatalogStock } from '../steps/find-catalog-stock.ts'

export function getCatalogProduct(ctx: AppContext): ProductHandlers['getCatalogProduct'] {
  return async ({ idOrSlug }, call) => {
    const storeId = requireStore(call)
    const now = ctx.clock.now()
    const wanted = { id: isFlakeId(idOrSlug) ? idOrSlug : null, slug: idOrSlug, now }
    const row = await findCatalogProduct(ctx.database, storeId, wanted)
    if (!row) throw errors.notFound('product')
    const [stock] = await findCatalogStock(ctx.database, storeId, [row], now)
    return { product: catalogProductToProto(row, stock) }
  }
}
