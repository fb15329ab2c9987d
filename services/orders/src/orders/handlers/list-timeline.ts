import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, OrderHandlers } from '../../context.ts'
import { findOrder } from '../db/order-repository.ts'
import { selectTimeline } from '../db/timeline-repository.ts'
import { timelineToProto } from '../mappers.ts'

export function listTimeline(ctx: AppContext): OrderHandlers['listTimeline'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const orderId = requireFlakeId('order_id', request.orderId)
    if (!(await findOrder(ctx.database, storeId, orderId))) throw errors.notFound('order')
    return { entries: (await selectTimeline(ctx.database, storeId, orderId)).map(timelineToProto) }
  }
}
