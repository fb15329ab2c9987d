import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { publishCustomerTokensRevoked } from '../../customers/events/publish.ts'
import { raiseCustomerEpoch } from '../db/token-epoch-repository.ts'

export function revokeTokens(ctx: AppContext): CustomersHandlers['revokeTokens'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const customerId = requireFlakeId('customer_id', request.customerId)
    const { tokenEpoch } = await write(ctx, call, request, async (tx) => {
      const row = await raiseCustomerEpoch(tx, storeId, customerId)
      if (!row) throw errors.notFound('customer')
      await publishCustomerTokensRevoked(tx, row, call)
      return { tokenEpoch: row.tokenEpoch }
    })
    // The revocation is committed. Gateways are notified before the response is sent, if Redis is up.
    await ctx.minimumEpochs.raiseCustomer(storeId, customerId, tokenEpoch)
    return { tokenEpoch }
  }
}
