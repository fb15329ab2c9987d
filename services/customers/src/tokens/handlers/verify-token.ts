import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { isClaimed, visibleToClaimant } from '../../customers/domain/customer.ts'
import { customerToProto } from '../../customers/mappers.ts'
import { createCustomerWithEpochsFinder } from '../db/token-epoch-repository.ts'
import { isRevoked } from '../domain/token-rules.ts'

/**
 * The only place that accepts a token. It always reads from the primary and caches nothing, so a revocation takes effect
 * with its commit. Without the primary it returns `service-unavailable`, never `unauthorized`.
 */
export function verifyToken(ctx: AppContext): CustomersHandlers['verifyToken'] {
  const findCustomer = createCustomerWithEpochsFinder(ctx.database)
  return async ({ token }, call) => {
    const storeId = requireStore(call)
    const reading = ctx.tokens.read(token)
    if (reading.outcome !== 'genuine') {
      ctx.tokenChecks.inc({ outcome: reading.outcome })
      throw errors.unauthorized()
    }
    const { claims } = reading
    if (claims.storeId !== storeId) {
      // An unknown store is not-found for every caller.
      await ctx.stores.get(storeId, call)
      ctx.tokenChecks.inc({ outcome: 'other_store' })
      throw errors.forbidden('The token belongs to another store.')
    }
    const row = await findCustomer(storeId, claims.customerId)
    // A typed name never gives access to a verified customer, not even with a token minted at the moment of verification.
    const isOutdatedClaim = claims.claimed && row !== undefined && !isClaimed(row)
    if (!row || isOutdatedClaim || isRevoked(claims, row)) {
      ctx.tokenChecks.inc({ outcome: 'revoked' })
      throw errors.unauthorized()
    }
    ctx.tokenChecks.inc({ outcome: 'accepted' })
    return { customer: customerToProto(claims.claimed ? visibleToClaimant(row) : row), claimed: claims.claimed }
  }
}
