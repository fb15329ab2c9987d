import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, WebhooksHandlers } from '../../context.ts'
import { findEndpoint } from '../db/endpoint-repository.ts'
import { endpointToProto } from '../mappers.ts'

export function getWebhookEndpoint(ctx: AppContext): WebhooksHandlers['getWebhookEndpoint'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('webhook_endpoint_id', request.webhookEndpointId)
    const row = await findEndpoint(ctx.database, storeId, id)
    if (!row) throw errors.notFound('webhook endpoint')
    return { webhookEndpoint: endpointToProto(row) }
  }
}
