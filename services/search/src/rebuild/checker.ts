import type { Background } from '@storekeep/common/service'
import type { AppContext } from '../context.ts'
import { isCheckDue } from '../db/check-repository.ts'
import { describeLive } from '../db/generation-repository.ts'
import { kinds } from '../kinds/index.ts'
import { createLoop } from './loop.ts'
import { verifyAll } from './verify.ts'

/**
 * Compares the live index with its owners from time to time, in one process at a time, and tells what it found by the
 * metric `search_index_drift_documents` and in the log. It mends nothing: drift is a mistake of ours to look into.
 */
export function createChecker(ctx: AppContext): Background {
  const { database, measures, log, checkIntervalMs } = ctx
  return createLoop(log, 'the search index could not be compared with its owners', everyMs, async (signal) => {
    const live = await describeLive(database)
    if (!live || !(await isCheckDue(database, checkIntervalMs))) return
    for (const kind of kinds) {
      const { checked, drifted } = await verifyAll(ctx, live.id, kind, signal)
      measures.drift.set({ type: kind.type }, drifted)
      if (drifted > 0) log.error({ type: kind.type, checked, drifted }, 'the search index differs from its owner')
    }
  })
}

const everyMs = 1000
