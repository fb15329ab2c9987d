import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { Queryable } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AppContext, CustomersHandlers } from '../context.ts'
import { findEpochs } from '../db/token-epoch-repository.ts'

export function mintToken(ctx: AppContext): CustomersHandlers['mintToken'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const customerId = requireFlakeId('customer_id', request.customerId)
    async function mint(db: Queryable) {
      const epochs = await findEpochs(db, storeId, customerId)
      if (!epochs) throw errors.notFound('customer')
      return { token: ctx.tokens.mint({ storeId, customerId, ...epochs, claimed: false }) }
    }
    // Tokens are not stored. Without an idempotency key there is nothing to write and no need for a transaction.
    if (!call.idempotency) return mint(ctx.database)
    return write(ctx, call, request, mint, { secret: true })
  }
}
