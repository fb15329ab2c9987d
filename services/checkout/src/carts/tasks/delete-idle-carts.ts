import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import type { AppContext } from '../../context.ts'
import { deleteIdleCarts } from '../db/cart-repository.ts'

/** Deletes carts that have not changed for 90 days. */
export function idleCarts({ sweepMs: everyMs, log, database, clock }: AppContext): PeriodicTask {
  const run = async (isStopping: () => boolean) => {
    while (!isStopping()) {
      const until = new Date(clock.now().getTime() - idleMs)
      if ((await deleteIdleCarts(database, until, batch)) < batch) return
    }
  }
  return createPeriodicTask({ name: 'delete-idle-carts', everyMs, log, run })
}

const idleMs = 90 * 24 * 3_600_000
const batch = 100
