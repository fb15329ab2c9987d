import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage } from '@storekeep/common/page'
import type { AppContext, OrderHandlers } from '../../context.ts'
import { selectRefundPage } from '../db/refund-repository.ts'
import { checkRefundFilter } from '../domain/refund-filter.ts'
import { refundFilterFromProto, refundToProto } from '../mappers.ts'

/** One index serves each filter in the order of the page, and an order has few refunds. */
export function listRefunds(ctx: AppContext): OrderHandlers['listRefunds'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const plan = planPage(request.page)
    const filter = checkRefundFilter(refundFilterFromProto(request))
    const { rows, info } = cutPage(plan, await selectRefundPage(ctx.database, storeId, filter, plan))
    return { refunds: rows.map(refundToProto), page: info }
  }
}
