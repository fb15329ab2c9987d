import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import type { AppContext } from '../../context.ts'
import { type CouponKey, countReservations, findCouponsToExpire, overdueSeconds } from '../db/redemption-repository.ts'
import { expireCouponReservations, expiryBatch } from '../steps/capacity.ts'

/**
 * Ends expired reservations, so that the counters of coupons that no checkout uses stay correct. Replicas may run it
 * concurrently. A coupon that fails waits for the next run and does not delay the others.
 */
export function expireReservations(ctx: AppContext): PeriodicTask {
  const { database, clock, log, redemptionCounter } = ctx
  ctx.metrics.gauge('coupon_reservations_open', 'Coupon reservations that are neither confirmed nor released.', () =>
    countReservations(database).catch(() => Number.NaN),
  )
  ctx.metrics.gauge(
    'coupon_reservation_overdue_seconds',
    'Time since the expiry of the oldest coupon reservation that was not released yet.',
    () => overdueSeconds(database, clock.now()).catch(() => Number.NaN),
  )
  return createPeriodicTask({
    name: 'expire-reservations',
    everyMs: ctx.sweepMs,
    log,
    async run(isStopping) {
      const failed: CouponKey[] = []
      while (!isStopping()) {
        const now = clock.now()
        const due = await findCouponsToExpire(database.scans(), { now, limit: expiryBatch, without: failed })
        if (due.length === 0) return
        for (const coupon of due) {
          if (isStopping()) return
          try {
            const count = await database.transaction((tx) => expireCouponReservations(tx, coupon, now))
            redemptionCounter.inc({ outcome: 'expired' }, count)
          } catch (error) {
            const fields = { err: error, store_id: coupon.storeId, coupon_id: coupon.couponId }
            log.warn(fields, 'coupon reservation expiry failed: retrying')
            // Ends the run if the database, and not the coupon, is the problem.
            await database.ping()
            failed.push(coupon)
          }
        }
      }
    },
  })
}
