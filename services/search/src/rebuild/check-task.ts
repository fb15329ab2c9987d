import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/service'
import type { AppContext } from '../context.ts'
import { isCheckDue } from '../db/check-repository.ts'
import { describeLive } from '../db/generation-repository.ts'
import { kinds } from '../kinds/index.ts'
import { verifyAll } from './verify.ts'

/**
 * Compares the live index with its owners from time to time, in one process at a time, and tells what it found by the
 * metric `search_index_drift_documents` and in the log. It mends nothing: drift is a mistake of ours to look into.
 */
export function checkTask(ctx: AppContext): PeriodicTask {
  return createPeriodicTask({ name: 'search-check', everyMs, log: ctx.log, run: (isOver) => check(ctx, isOver) })
}

/** How often the clock is looked at. */
const everyMs = 1000

async function check(ctx: AppContext, isOver: () => boolean): Promise<void> {
  const { database, measures, log, checkIntervalMs } = ctx
  const live = await describeLive(database)
  if (!live || !(await isCheckDue(database, checkIntervalMs))) return
  for (const kind of kinds) {
    if (isOver()) return
    const { checked, drifted } = await verifyAll(ctx, live.id, kind, isOver)
    measures.drift.set({ type: kind.type }, drifted)
    if (drifted > 0) log.error({ type: kind.type, checked, drifted }, 'the search index differs from its owner')
  }
}
