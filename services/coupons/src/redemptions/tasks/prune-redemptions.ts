import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import type { AppContext } from '../../context.ts'
import { deleteEndedRedemptions } from '../db/redemption-repository.ts'

/**
 * Deletes released and expired redemptions after 35 days, so that abandoned checkouts do not grow the ledger forever.
 * An event of their checkout may arrive until then (records of consumed events are kept as long) and must find them.
 * Confirmed redemptions stay.
 */
export function pruneRedemptions({ database, clock, log, sweepMs }: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'prune-redemptions',
    everyMs: sweepMs,
    log,
    async run(isStopping) {
      const before = new Date(clock.now().getTime() - retentionMs)
      while (!isStopping() && (await deleteEndedRedemptions(database, before, batch)) === batch);
    },
  })
}

const retentionMs = 35 * 24 * 3_600_000
const batch = 1000
