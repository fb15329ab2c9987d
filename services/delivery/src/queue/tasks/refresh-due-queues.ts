import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import type { AppContext } from '../../context.ts'

/** Reads which queues have changed. When it stops, polls that wait end with what is due. */
export function refreshDueQueues({ dueQueues, database, log }: AppContext): PeriodicTask {
  let failures = 0
  async function run(): Promise<void> {
    try {
      await dueQueues.refresh()
      failures = 0
    } catch (error) {
      failures += 1
      if (failures % reportedEvery === 1) {
        log.warn({ err: error, count: failures }, 'read of due commands failed: polls query the database')
      }
    }
  }
  const task = createPeriodicTask({ name: 'refresh-due-queues', everyMs: refreshMs, log, run })
  return {
    start() {
      // Changes of this process write events, or are found by the next run.
      database.onInsert('outbox', () => dueQueues.refreshIfAwaited())
      void run()
      task.start()
    },
    async stop() {
      dueQueues.stop()
      await task.stop()
    },
  }
}

const refreshMs = 200
/** A failure that repeats is logged about once a minute. */
const reportedEvery = 300
