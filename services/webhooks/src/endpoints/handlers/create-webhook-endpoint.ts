import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { write } from '@storekeep/common/write'
import { webhookEndpointLimits } from '@storekeep/proto/conventions/limits'
import type { AppContext, WebhooksHandlers } from '../../context.ts'
import { countLockedEndpoints, insertEndpoint } from '../db/endpoint-repository.ts'
import { insertSecret } from '../db/secret-repository.ts'
import { checkEndpoint } from '../domain/endpoint-draft.ts'
import { createSigningSecret } from '../domain/signing-secret.ts'
import { publishEndpointCreated } from '../events/publish.ts'
import { endpointInputFromProto, endpointToProto } from '../mappers.ts'

export function createWebhookEndpoint(ctx: AppContext): WebhooksHandlers['createWebhookEndpoint'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const draft = checkEndpoint(endpointInputFromProto(request.webhookEndpoint), ctx.endpointRules)
    const create = write(
      ctx,
      call,
      request,
      async (tx) => {
        if ((await countLockedEndpoints(tx, storeId)) >= webhookEndpointLimits.perStore) throw errors.conflict(tooMany)
        const id = await ctx.ids.next()
        const createdBy = actorText(call.actor)
        const row = await insertEndpoint(tx, ctx.secrets, {
          ...draft,
          id,
          storeId,
          createdBy,
          createdAt: ctx.clock.now(),
        })
        const secret = createSigningSecret(ctx.randomBytes)
        await insertSecret(tx, ctx.secrets, row, { id: await ctx.ids.next(), text: secret })
        await publishEndpointCreated(tx, row, call)
        return { webhookEndpoint: endpointToProto(row), secret }
      },
      { secret: true },
    )
    return create
  }
}

const tooMany = `The store has reached the limit of ${webhookEndpointLimits.perStore} webhook endpoints.`
