import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { raiseStoreEpoch } from '../db/token-epoch-repository.ts'
import { publishStoreTokensRevoked } from '../events/publish.ts'

/** Does not check that the store exists: in an emergency this must work without the stores service. */
export function revokeStoreTokens(ctx: AppContext): CustomersHandlers['revokeStoreTokens'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const response = await write(ctx, call, request, async (tx) => {
      const tokenEpoch = await raiseStoreEpoch(tx, storeId)
      await publishStoreTokensRevoked(tx, storeId, tokenEpoch, call)
      return { tokenEpoch }
    })
    await ctx.minimumEpochs.raiseStore(storeId, response.tokenEpoch)
    return response
  }
}
