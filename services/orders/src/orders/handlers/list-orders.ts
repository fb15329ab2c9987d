import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage, readInParts } from '@storekeep/common/page'
import type { AppContext, OrderHandlers } from '../../context.ts'
import { selectOrders } from '../db/order-repository.ts'
import { checkOrderFilter } from '../domain/order-filter.ts'
import { filterFromProto, orderToProto } from '../mappers.ts'

export function listOrders(ctx: AppContext): OrderHandlers['listOrders'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const plan = planPage(request.page)
    const filter = checkOrderFilter(filterFromProto(request))
    // One index serves each other filter in the order of the page; a date range or several filters may read many rows.
    const isSimple = Object.values(filter).filter((one) => one !== undefined).length <= 1
    const isIndexed = isSimple && filter.createdAfter === undefined && filter.createdBefore === undefined
    const db = isIndexed ? ctx.database : ctx.database.scans(call, { mayLag: true })
    const { rows, info } = cutPage(plan, await readInParts(plan, (part) => selectOrders(db, storeId, filter, part)))
    return { orders: rows.map(orderToProto), page: info }
  }
}
