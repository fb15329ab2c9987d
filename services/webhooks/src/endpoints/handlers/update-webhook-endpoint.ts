import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { write } from '@storekeep/common/write'
import type { AppContext, WebhooksHandlers } from '../../context.ts'
import { wakeQueues } from '../../deliveries/db/schedule-repository.ts'
import { lockEndpoint, readHeaders, updateEndpointState } from '../db/endpoint-repository.ts'
import { applyChange, readChange } from '../domain/endpoint-change.ts'
import { publishEndpointUpdated } from '../events/publish.ts'
import { endpointInputFromProto, endpointToProto } from '../mappers.ts'

export function updateWebhookEndpoint(ctx: AppContext): WebhooksHandlers['updateWebhookEndpoint'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('webhook_endpoint_id', request.webhookEndpointId)
    const change = readChange(endpointInputFromProto(request.webhookEndpoint), request.updateMask?.paths ?? [])
    return write(ctx, call, request, async (tx) => {
      // A sender ends its pending deliveries. Queue and endpoint are locked in the same order as when attempts end.
      if (change.enabled === false) await wakeQueues(tx, [{ storeId, webhookEndpointId: id }])
      const row = await lockEndpoint(tx, storeId, id)
      if (!row) throw errors.notFound('webhook endpoint')
      const before = { ...row, headers: await readHeaders(tx, ctx.secrets, row) }
      const changed = applyChange(before, change, ctx.endpointRules)
      if (!changed) return { webhookEndpoint: endpointToProto(row) }
      const by = { updatedBy: actorText(call.actor), updatedAt: ctx.clock.now() }
      const written = await updateEndpointState(tx, ctx.secrets, row, changed, by)
      if (row.enabled && !written.enabled) tx.afterCommit(ctx.deliverySignal.wake)
      await publishEndpointUpdated(tx, written, call)
      return { webhookEndpoint: endpointToProto(written) }
    })
  }
}
