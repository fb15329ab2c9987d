import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import type { AppContext } from '../context.ts'
import { readBacklog } from '../db/attempt-repository.ts'

/** Exports what waits to be sent. */
export function measureBacklog({ database, log, emailMetrics }: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'measure-email-backlog',
    everyMs: 10_000,
    log,
    async run() {
      const { pending, oldestDueAge } = await readBacklog(database.scans())
      emailMetrics.pending.set(pending)
      emailMetrics.oldestDue.set(oldestDueAge)
    },
  })
}
