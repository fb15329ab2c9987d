import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/service'
import type { AppContext } from './context.ts'
import { findCouponsToExpire } from './db/coupon-usage-repository.ts'
import { expireCouponReservations, expiryBatch } from './db/redemption-ledger.ts'

/**
 * Ends the reservations whose time is over. Who needs a place finds those of its coupon by itself; this keeps the
 * counts true for all others. Replicas do not disturb each other: the second one finds nothing left to do.
 */
export function redemptionSweep(ctx: AppContext): PeriodicTask {
  const { database, clock, log, redemptionCounter } = ctx
  return createPeriodicTask({
    name: 'redemption-sweep',
    everyMs: ctx.redemptionSweepMs,
    log,
    async run(isStopping) {
      while (!isStopping()) {
        const now = clock.now()
        const due = await findCouponsToExpire(database, now, expiryBatch)
        if (due.length === 0) return
        for (const coupon of due) {
          if (isStopping()) return
          const count = await database.transaction((tx) => expireCouponReservations(tx, coupon, now))
          redemptionCounter.inc({ outcome: 'expired' }, count)
        }
      }
    },
  })
}
