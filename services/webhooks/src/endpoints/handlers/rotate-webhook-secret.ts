import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { write } from '@storekeep/common/write'
import { webhookEndpointLimits } from '@storekeep/proto/conventions/limits'
import type { AppContext, WebhooksHandlers } from '../../context.ts'
import { lockEndpoint, touchEndpoint } from '../db/endpoint-repository.ts'
import { endSecrets, insertSecret } from '../db/secret-repository.ts'
import { createSigningSecret, endOfOverlap } from '../domain/signing-secret.ts'
import { publishEndpointUpdated } from '../events/publish.ts'
import { endpointToProto } from '../mappers.ts'

export function rotateWebhookSecret(ctx: AppContext): WebhooksHandlers['rotateWebhookSecret'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('webhook_endpoint_id', request.webhookEndpointId)
    const now = ctx.clock.now()
    const end = endOfOverlap(request.overlapSeconds, now)
    return write(
      ctx,
      call,
      request,
      async (tx) => {
        const row = await lockEndpoint(tx, storeId, id)
        if (!row) throw errors.notFound('webhook endpoint')
        await endSecrets(tx, row, { end, now, keep: webhookEndpointLimits.secrets - 1 })
        const secret = createSigningSecret(ctx.randomBytes)
        await insertSecret(tx, ctx.secrets, row, { id: await ctx.ids.next(), text: secret })
        const written = await touchEndpoint(tx, row, { updatedBy: actorText(call.actor), updatedAt: now })
        await publishEndpointUpdated(tx, written, call)
        return { webhookEndpoint: endpointToProto(written), secret }
      },
      { secret: true },
    )
  }
}
