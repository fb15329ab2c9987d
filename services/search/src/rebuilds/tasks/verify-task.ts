import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import type { AppContext } from '../../context.ts'
import { recordTypes } from '../../documents/mappers/record-types/index.ts'
import { recordVerification } from '../db/rebuild-repository.ts'
import { claimVerification } from '../db/verify-repository.ts'
import { verifyAll } from './verify-index.ts'
import { verifyLive } from './verify-live.ts'

/**
 * Verifies the live index against its owners once per interval, in one of the replicas, and logs drift. It repairs nothing: drift
 * is a bug to investigate. Every replica exports the stored results as the metric `search_index_drift_documents`, so that the
 * result of an earlier verification by another replica does not outlive the next one, or a rebuild.
 */
export function verifyTask(ctx: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'search-verification',
    everyMs,
    log: ctx.log,
    async run(isStopping) {
      const { isClaimed, results } = await claimVerification(ctx.database, ctx.checkIntervalMs)
      for (const { type, drifted } of results) ctx.indexMetrics.drift.set({ type }, Number(drifted))
      if (isClaimed) await verify(ctx, isStopping)
    },
  })
}

/** How often the task checks whether a verification is due. */
const everyMs = 1000

async function verify(ctx: AppContext, isStopping: () => boolean): Promise<void> {
  for (const recordType of recordTypes) {
    if (isStopping()) return
    const { type } = recordType
    const result = await verifyLive(ctx, async (generation) => {
      const verification = await verifyAll(ctx, generation, recordType, { isCanceled: isStopping })
      await recordVerification(ctx.database, generation, type, verification)
      return verification
    })
    // A rebuild has replaced the index. It has verified the new one.
    if (!result) return
    const { checked, drifted } = result
    if (drifted > 0) ctx.log.error({ type, checked, drifted }, 'search index drift found')
  }
}
