import { randomUUID } from 'node:crypto'
import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/service'
import { inTrace } from '@storekeep/common/telemetry'
import type { AppContext } from '../context.ts'
import { claimDueHolds, type HoldKey } from '../sessions/db/coupon-reservation-repository.ts'
import { expireSessions } from '../sessions/db/session-writer.ts'
import { publishSession } from '../sessions/events/publish.ts'
import { exportHolds } from './hold-metrics.ts'
import { endHold } from './slot-saga.ts'

/** Ends the sessions whose time is over and gives back the slots of sessions that were never written. */
export function sweeps(ctx: AppContext): PeriodicTask[] {
  const { sweepMs: everyMs, log } = ctx
  return [
    createPeriodicTask({ name: 'expire-sessions', everyMs, log, run: (isStopping) => expireAll(ctx, isStopping) }),
    createPeriodicTask({ name: 'end-holds', everyMs, log, run: (isStopping) => endAbandonedHolds(ctx, isStopping) }),
    // By itself: it is there to be seen while coupons keeps the other one waiting.
    createPeriodicTask({ name: 'measure-holds', everyMs, log, run: exportHolds(ctx) }),
  ]
}

async function expireAll(ctx: AppContext, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const count = await ctx.database.transaction(async (tx) => {
      const now = ctx.clock.now()
      const rows = await expireSessions(tx, now, sessionBatch)
      for (const row of rows) {
        await inTrace('expire session', (traceparent) => publishSession(tx, 'expired', row, now, { traceparent }))
      }
      if (rows.length > 0) tx.afterCommit(ctx.relay.wake)
      return rows.length
    })
    if (count < sessionBatch) return
  }
}

async function endAbandonedHolds(ctx: AppContext, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const due = await claimDueHolds(ctx.database, ctx.clock.now(), holdBatch)
    await Promise.all(due.map((key) => endQuietly(ctx, key)))
    if (due.length < holdBatch) return
  }
}

/** What fails is due again later. */
async function endQuietly(ctx: AppContext, key: HoldKey): Promise<void> {
  const fields = { store_id: key.storeId, checkout_id: key.checkoutId }
  try {
    await inTrace('end hold', (traceparent) => endHold(ctx, key, { requestId: randomUUID(), traceparent }))
    ctx.log.info(fields, 'the coupon slot of a session that never came to be was given back')
  } catch (error) {
    ctx.log.warn({ err: error, ...fields }, 'a coupon slot could not be given back; trying again later')
  }
}

const sessionBatch = 100
const holdBatch = 20
