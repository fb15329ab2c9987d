import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, WebhooksHandlers } from '../../context.ts'
import { deleteLockedEndpoint, lockEndpoint } from '../db/endpoint-repository.ts'
import { publishEndpointDeleted } from '../events/publish.ts'

export function deleteWebhookEndpoint(ctx: AppContext): WebhooksHandlers['deleteWebhookEndpoint'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('webhook_endpoint_id', request.webhookEndpointId)
    return write(ctx, call, request, async (tx) => {
      const row = await lockEndpoint(tx, storeId, id)
      if (!row) throw errors.notFound('webhook endpoint')
      await deleteLockedEndpoint(tx, row)
      await publishEndpointDeleted(tx, row, call)
      return {}
    })
  }
}
