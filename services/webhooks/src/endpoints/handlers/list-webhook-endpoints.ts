import { requireStore } from '@storekeep/common/grpc'
import { cutPage, planPage } from '@storekeep/common/page'
import type { AppContext, WebhooksHandlers } from '../../context.ts'
import { listEndpointRows } from '../db/endpoint-repository.ts'
import { endpointToProto } from '../mappers.ts'

export function listWebhookEndpoints(ctx: AppContext): WebhooksHandlers['listWebhookEndpoints'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const plan = planPage(request.page)
    const { rows, info } = cutPage(plan, await listEndpointRows(ctx.database, storeId, plan))
    return { webhookEndpoints: rows.map(endpointToProto), page: info }
  }
}
