import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, OrderHandlers } from '../../context.ts'
import { findOrder } from '../db/order-repository.ts'
import { orderToProto } from '../mappers.ts'

export function getCustomerOrder(ctx: AppContext): OrderHandlers['getCustomerOrder'] {
  return async ({ orderId, portalSecret }, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('order_id', orderId)
    const customerId = await ctx.portalSessions.customerOf(portalSecret, call)
    const row = await findOrder(ctx.database, storeId, id)
    if (row?.customerId !== customerId) throw errors.notFound('order')
    return { order: orderToProto(row) }
  }
}
