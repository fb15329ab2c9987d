import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage, readInParts } from '@storekeep/common/page'
import type { AppContext, OrderHandlers } from '../context.ts'
import { selectOrders } from '../db/order-repository.ts'
import { checkFilter } from '../domain/order-filter.ts'
import { orderToProto } from '../mappers.ts'

export function listCustomerOrders(ctx: AppContext): OrderHandlers['listCustomerOrders'] {
  return async ({ customerId, subscriptionId, page }, call) => {
    const storeId = requireStore(call)
    const plan = planPage(page)
    const others = { status: undefined, email: undefined, createdAfter: undefined, createdBefore: undefined }
    const filter = checkFilter({ customerId, subscriptionId, ...others })
    const select = (part: typeof plan) => selectOrders(ctx.database, storeId, filter, part)
    const { rows, info } = cutPage(plan, await readInParts(plan, select))
    return { orders: rows.map(orderToProto), page: info }
  }
}
