import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/service'
import type { AppContext } from '../../context.ts'
import {
  deleteDeliveries,
  deleteEventsBefore,
  readBacklog,
  selectDeletedEndpoints,
} from '../db/maintenance-repository.ts'

/** Deletes events 30 days after they were stored, and the deliveries of deleted endpoints, in batches. */
export function deleteOldDeliveries(ctx: AppContext): PeriodicTask {
  const { database, clock, log } = ctx
  return createPeriodicTask({
    name: 'delete-old-webhook-deliveries',
    everyMs: ctx.attempts.maintenanceMs,
    log,
    async run(isStopping) {
      const before = new Date(clock.now().getTime() - keptMs)
      const deleteEvents = () => database.transaction((tx) => deleteEventsBefore(tx, before, batch))
      while (!isStopping() && (await deleteEvents()) === batch);
      for (const endpoint of await selectDeletedEndpoints(database.scans(), batch)) {
        const deleteBatch = () => database.transaction((tx) => deleteDeliveries(tx, endpoint, batch))
        while (!isStopping() && (await deleteBatch()) === batch);
      }
    },
  })
}

/** Exports what waits to be delivered. */
export function measureBacklog({ database, clock, log, deliveryMetrics }: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'measure-webhook-backlog',
    everyMs: 10_000,
    log,
    async run() {
      const { pending, oldestPending, oldestDue, failing } = await readBacklog(database.scans())
      const age = (since: Date | null) => (since ? Math.max(0, clock.now().getTime() - since.getTime()) / 1000 : 0)
      deliveryMetrics.pending.set(pending)
      deliveryMetrics.oldestPending.set(age(oldestPending))
      deliveryMetrics.oldestDue.set(age(oldestDue))
      deliveryMetrics.failing.set(failing)
    },
  })
}

const keptMs = 30 * 86_400_000
const batch = 500
