import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { write } from '@storekeep/common/write'
import type { AppContext, StoresHandlers } from '../../context.ts'
import { findApiKey, markApiKeyRevoked } from '../db/api-key-repository.ts'
import { publishApiKeyRevoked } from '../events/publish.ts'
import { apiKeyToProto } from '../mappers.ts'

export function revokeApiKey(ctx: AppContext): StoresHandlers['revokeApiKey'] {
  return async (request, call) => {
    const id = requireFlakeId('api_key_id', request.apiKeyId)
    const response = await write(ctx, call, request, async (tx) => {
      const revoked = await markApiKeyRevoked(tx, id, ctx.clock.now())
      if (revoked) await publishApiKeyRevoked(tx, revoked, call)
      const row = revoked ?? (await findApiKey(tx, id))
      if (!row) throw errors.notFound('API key')
      return { apiKey: apiKeyToProto(row) }
    })
    // Repeated calls announce it again, because the first may have crashed after its commit.
    await ctx.announceRevocation(id)
    return response
  }
}
