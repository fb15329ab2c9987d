import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, RedemptionsHandlers } from '../../context.ts'
import { countOutcome } from '../ledger/outcome.ts'
import { reserve, validateCodes } from '../ledger/reserve.ts'
import { codesFromProto, discountsToProto, orderFromProto } from '../mappers.ts'

/** The checkout id makes the call repeatable, and no event is published, so it needs no `write`. */
export function reserveCoupon(ctx: AppContext): RedemptionsHandlers['reserveCoupon'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const now = ctx.clock.now()
    if (request.validateOnly) {
      refuse(await validateCodes(ctx.database, codesFromProto(storeId, request), now))
      return {}
    }
    const order = orderFromProto(storeId, request)
    const outcome = await ctx.couponLocks(storeId).transaction(async (tx) => {
      const result = await reserve(tx, order, now)
      if (result.redemption ?? result.refusal) countOutcome(ctx, tx, result)
      return result
    })
    // Only after the commit: a refusal keeps the expired reservations that it has ended.
    refuse(outcome.violations)
    return discountsToProto(outcome)
  }
}

function refuse(violations: Parameters<typeof errors.validationFailed>[0]): void {
  if (violations.length > 0) throw errors.validationFailed(violations)
}
