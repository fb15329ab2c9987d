import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/service'
import type { AppContext } from '../../context.ts'
import { recordTypes } from '../../record-types/index.ts'
import { findLiveGeneration } from '../db/generation-repository.ts'
import { claimVerification } from '../db/verify-repository.ts'
import { verifyAll } from './verify-index.ts'

/**
 * Verifies the live index against its owners once per interval, in one of the replicas, and reports drift by the metric
 * `search_index_drift_documents` and in the log. It repairs nothing: drift is a bug to investigate.
 */
export function verifyTask(ctx: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'search-verification',
    everyMs,
    log: ctx.log,
    run: (isStopping) => verify(ctx, isStopping),
  })
}

/** How often the task checks whether a verification is due. */
const everyMs = 1000

async function verify(ctx: AppContext, isStopping: () => boolean): Promise<void> {
  const { database, indexMetrics, log, checkIntervalMs } = ctx
  const live = await findLiveGeneration(database)
  if (!live || !(await claimVerification(database, checkIntervalMs))) return
  for (const recordType of recordTypes) {
    const { type } = recordType
    if (isStopping()) return
    const { checked, drifted } = await verifyAll(ctx, live.id, recordType, isStopping)
    indexMetrics.drift.set({ type }, drifted)
    if (drifted > 0) log.error({ type, checked, drifted }, 'search index differs from its owner')
  }
}
