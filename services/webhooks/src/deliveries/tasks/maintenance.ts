import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import type { AppContext } from '../../context.ts'
import { deleteDeliveries, deleteOldEvents, readBacklog, selectDeletedEndpoints } from '../db/maintenance-repository.ts'

/** Deletes events 30 days after they were stored, and the deliveries of deleted endpoints, in batches. */
export function deleteOldDeliveries(ctx: AppContext): PeriodicTask {
  const { database, log } = ctx
  return createPeriodicTask({
    name: 'delete-old-webhook-deliveries',
    everyMs: ctx.attempts.maintenanceMs,
    log,
    async run(isStopping) {
      const deleteEvents = () => database.transaction((tx) => deleteOldEvents(tx, keptDays, batch))
      while (!isStopping() && (await deleteEvents()) === batch);
      for (const endpoint of await selectDeletedEndpoints(database.scans(), batch)) {
        const deleteBatch = () => database.transaction((tx) => deleteDeliveries(tx, endpoint, batch))
        while (!isStopping() && (await deleteBatch()) === batch);
      }
    },
  })
}

/** Exports what waits to be delivered. */
export function measureBacklog({ database, log, deliveryMetrics }: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'measure-webhook-backlog',
    everyMs: 10_000,
    log,
    async run() {
      const { pending, oldestDueAge, failing } = await readBacklog(database.scans())
      deliveryMetrics.pending.set(pending)
      deliveryMetrics.oldestDue.set(oldestDueAge)
      deliveryMetrics.failing.set(failing)
    },
  })
}

const keptDays = 30
const batch = 500
