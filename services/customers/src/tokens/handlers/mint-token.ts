import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import type { TokenEpochs } from '../db/schema.ts'
import { createEpochsFinder, findEpochs } from '../db/token-epoch-repository.ts'

export function mintToken(ctx: AppContext): CustomersHandlers['mintToken'] {
  const findInBatch = createEpochsFinder(ctx.database)
  return async (request, call) => {
    const storeId = requireStore(call)
    const customerId = requireFlakeId('customer_id', request.customerId)
    function mint(epochs: TokenEpochs | undefined) {
      if (!epochs) throw errors.notFound('customer')
      return {
        token: ctx.tokens.mint({
          storeId,
          customerId,
          customerEpoch: epochs.customerEpoch,
          storeEpoch: epochs.storeEpoch,
          claimed: false,
        }),
      }
    }
    // Tokens are not stored. Without an idempotency key there is nothing to write and no need for a transaction.
    if (!call.idempotency) return mint(await findInBatch(storeId, customerId))
    return write(ctx, call, request, async (tx) => mint(await findEpochs(tx, storeId, customerId)), { secret: true })
  }
}
