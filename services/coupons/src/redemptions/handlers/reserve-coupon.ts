import { errors } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext, RedemptionsHandlers } from '../../context.ts'
import type { Order } from '../domain/order.ts'
import { codesFromProto, discountsToProto, orderFromProto } from '../mappers.ts'
import { countOutcome } from '../steps/count-outcome.ts'
import { applyWithoutCoupon, reserve, validateCodes } from '../steps/reserve.ts'

/** The checkout id makes the call repeatable, and no event is published, so it needs no `write`. */
export function reserveCoupon(ctx: AppContext): RedemptionsHandlers['reserveCoupon'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const now = ctx.clock.now()
    if (request.validateOnly) {
      assertUsable(await validateCodes(ctx.database, codesFromProto(storeId, request), now))
      return {}
    }
    const order = orderFromProto(storeId, request)
    // First without a lock, so that orders without a coupon never queue behind a popular coupon.
    const outcome =
      (await applyWithoutCoupon(ctx.database, order, now)) ?? (await reserveUnderLock(ctx, call, order, now))
    // After the commit, so that a rejection keeps the expired reservations ended.
    assertUsable(outcome.violations)
    return discountsToProto(outcome)
  }
}

function reserveUnderLock(ctx: AppContext, call: Call, order: Order, now: Date) {
  const work = async (tx: Transaction) => {
    const result = await reserve(tx, order, now)
    if (result.redemption ?? result.rejection) countOutcome(ctx, tx, result)
    return result
  }
  return ctx.forCouponLock(order.storeId).database.transaction(work, call)
}

function assertUsable(violations: Parameters<typeof errors.validationFailed>[0]): void {
  if (violations.length > 0) throw errors.validationFailed(violations)
}
