import { errors, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage } from '@storekeep/common/page'
import type { AppContext, ProductHandlers } from '../../context.ts'
import { findTagIdBySlug } from '../../tags/db/tag-repository.ts'
import { findCatalogPositions, selectCatalog } from '../db/catalog-repository.ts'
import { checkCatalogQuery, searchText } from '../domain/catalog.ts'
import { catalogProductToProto } from '../mappers.ts'
import { findCatalogStock } from '../steps/find-catalog-stock.ts'

export function listCatalogProducts(ctx: AppContext): ProductHandlers['listCatalogProducts'] {
  return async ({ limit, after, before, tag, search }, call) => {
    const storeId = requireStore(call)
    const plan = planPage({ limit, asc: true, after, before })
    checkCatalogQuery({ search, tag })
    const db = ctx.database
    const cursors = [after, before].filter((id) => id !== undefined)
    const [positions, tagId] = await Promise.all([
      findCatalogPositions(db, storeId, cursors),
      tag === undefined || isFlakeId(tag) ? tag : findTagIdBySlug(db, storeId, tag),
    ])
    // A slug that no tag has.
    if (tag !== undefined && tagId === undefined) return { products: [], page: { hasNext: false, hasPrevious: false } }
    const positionOf = (path: string, id: string | undefined) => {
      const found = positions.find((one) => one.id === id)
      if (id === undefined || found) return found
      throw errors.validationFailed([violation(path, 'reference', 'is not a product of this store')])
    }
    const page = { plan, after: positionOf('after', after), before: positionOf('before', before) }
    const now = ctx.clock.now()
    const filter = { tagId, search: search === undefined ? undefined : searchText(search), now }
    const { rows, info } = cutPage(plan, await selectCatalog(db, storeId, filter, page))
    const stock = await findCatalogStock(db, storeId, rows, now)
    return { products: rows.map((row, index) => catalogProductToProto(row, stock[index])), page: info }
  }
}
