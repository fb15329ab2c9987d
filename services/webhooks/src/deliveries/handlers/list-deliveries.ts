import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage } from '@storekeep/common/page'
import type { AppContext, DeliveriesHandlers } from '../../context.ts'
import { selectPage } from '../db/delivery-repository.ts'
import { checkDeliveryFilter } from '../domain/delivery-filter.ts'
import { deliveryFilterFromProto, deliveryToProto } from '../mappers.ts'
import { requireEndpoint } from './require-endpoint.ts'

export function listDeliveries(ctx: AppContext): DeliveriesHandlers['listDeliveries'] {
  return async (request, call) => {
    const plan = planPage(request.page)
    const filter = checkDeliveryFilter(deliveryFilterFromProto(request))
    const { endpoint } = await requireEndpoint(ctx.database, requireStore(call), request.webhookEndpointId)
    // Only failed deliveries have an index of their own.
    const isIndexed = filter.eventType === undefined && (filter.status === undefined || filter.status === 'failed')
    const db = isIndexed ? ctx.database : ctx.database.scans(call, { mayLag: true })
    const { rows, info } = cutPage(plan, await selectPage(db, endpoint, filter, plan))
    return { deliveries: rows.map(deliveryToProto), page: info }
  }
}
