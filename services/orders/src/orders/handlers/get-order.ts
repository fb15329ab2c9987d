import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, OrderHandlers } from '../../context.ts'
import { findOrder } from '../db/order-repository.ts'
import { orderToProto } from '../mappers.ts'

export function getOrder(ctx: AppContext): OrderHandlers['getOrder'] {
  return async ({ orderId }, call) => {
    const row = await findOrder(ctx.database, requireStore(call), requireFlakeId('order_id', orderId))
    if (!row) throw errors.notFound('order')
    return { order: orderToProto(row) }
  }
}
