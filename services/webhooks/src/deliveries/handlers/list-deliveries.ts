import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage } from '@storekeep/common/page'
import type { AppContext, DeliveriesHandlers } from '../../context.ts'
import { selectPage } from '../db/delivery-repository.ts'
import { checkDeliveryFilter } from '../domain/delivery-filter.ts'
import { deliveryFilterFromProto, deliveryToProto } from '../mappers.ts'
import { requireEndpoint } from '../steps/require-endpoint.ts'

export function listDeliveries(ctx: AppContext): DeliveriesHandlers['listDeliveries'] {
  return async (request, call) => {
    const plan = planPage(request.page)
    const filter = checkDeliveryFilter(deliveryFilterFromProto(request))
    const { endpoint } = await requireEndpoint(ctx.database, requireStore(call), request.webhookEndpointId)
    const read = await ctx.database.transaction((tx) => selectPage(tx, endpoint, filter, plan), call)
    const { rows, info } = cutPage(plan, read)
    return { deliveries: rows.map(deliveryToProto), page: info }
  }
}
