import { randomUUID } from 'node:crypto'
import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import { inTrace } from '@storekeep/common/telemetry'
import type { AppContext } from '../../context.ts'
import { claimDueReservations, type ReservationKey } from '../db/coupon-reservation-repository.ts'
import { expireSessions } from '../db/session-writer.ts'
import { publishSession } from '../events/publish.ts'
import { endReservation } from '../steps/end-reservation.ts'
import { releaseStock } from '../steps/release-stock.ts'
import { exportReservations } from './reservation-metrics.ts'

/** Expires sessions, and releases coupon reservations without a session. */
export function sweeps(ctx: AppContext): PeriodicTask[] {
  const { sweepMs: everyMs, log } = ctx
  return [
    createPeriodicTask({ name: 'expire-sessions', everyMs, log, run: (isStopping) => expireAll(ctx, isStopping) }),
    createPeriodicTask({
      name: 'release-reservations',
      everyMs,
      log,
      run: (isStopping) => releaseAll(ctx, isStopping),
    }),
    // A separate task, so that it still runs while coupons makes the releases wait.
    createPeriodicTask({ name: 'measure-reservations', everyMs, log, run: exportReservations(ctx) }),
  ]
}

async function expireAll(ctx: AppContext, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const count = await ctx.database.transaction(async (tx) => {
      const now = ctx.clock.now()
      const rows = await expireSessions(tx, now, sessionBatch)
      await releaseStock(tx, rows)
      for (const row of rows) {
        await inTrace('expire session', (traceparent) => publishSession(tx, 'expired', row, now, { traceparent }))
      }
      return rows.length
    })
    if (count < sessionBatch) return
  }
}

async function releaseAll(ctx: AppContext, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const due = await claimDueReservations(ctx.database, ctx.clock.now(), reservationBatch)
    await Promise.all(due.map((key) => releaseOne(ctx, key)))
    if (due.length < reservationBatch) return
  }
}

/** A reservation that cannot be released is due again later. */
async function releaseOne(ctx: AppContext, key: ReservationKey): Promise<void> {
  const fields = { store_id: key.storeId, checkout_id: key.checkoutId }
  try {
    await inTrace('release reservation', (traceparent) =>
      endReservation(ctx, key, { requestId: randomUUID(), traceparent }),
    )
    ctx.log.info(fields, 'unused coupon reservation released')
  } catch (error) {
    ctx.log.warn({ err: error, ...fields }, 'coupon reservation release failed: retrying')
  }
}

/** A session, its row and its event can take a MiB together; a transaction keeps all of its batch in memory. */
const sessionBatch = 10
const reservationBatch = 20
