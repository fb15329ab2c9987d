import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/service'
import type { AppContext } from '../../context.ts'
import { pruneRedemptions } from '../db/redemption-repository.ts'

/**
 * Forgets places that were given back or never taken up, since shoppers who do not buy would make the ledger grow
 * without end. They are kept for as long as an event of their checkout can still come (35 days, as the notes of
 * consumed events are), so that a late one finds them. Confirmed ones stay: they are what was granted.
 */
export function redemptionPrune({ database, clock, log, redemptionSweepMs }: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'redemption-prune',
    everyMs: redemptionSweepMs,
    log,
    async run(isStopping) {
      const before = new Date(clock.now().getTime() - keptMs)
      while (!isStopping() && (await pruneRedemptions(database, before, batch)) === batch);
    },
  })
}

const keptMs = 35 * 24 * 3_600_000
const batch = 1000
