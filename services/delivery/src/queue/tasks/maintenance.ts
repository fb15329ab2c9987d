import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import { unqueueServer } from '../../attempts/db/attempt-repository.ts'
import type { AppContext } from '../../context.ts'
import { readBacklog } from '../db/backlog-repository.ts'
import { deleteJoins } from '../db/join-repository.ts'
import { deleteUnchangedQueue, findQueuesWithoutServer } from '../db/stuck-repository.ts'

/** Deletes joins after 90 days, which is what stores and their customers are promised. */
export function pruneJoins(ctx: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'prune-player-joins',
    everyMs: 3_600_000,
    log: ctx.log,
    run: (isStopping) => pruneAllJoins(ctx, isStopping),
  })
}

/** @param ctx.clock decides which joins are 90 days old */
export async function pruneAllJoins(
  { database, clock }: Pick<AppContext, 'database' | 'clock'>,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs)
  while (!isStopping() && (await deleteJoins(database, before, batch)) === batch);
}

/** Unqueues what the deletion of a server has left. Replicas may run it concurrently. */
export function emptyQueuesOfDeletedServers(ctx: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'empty-queues-of-deleted-servers',
    everyMs: 60_000,
    log: ctx.log,
    run: (isStopping) => emptyQueues(ctx, isStopping),
  })
}

export async function emptyQueues(
  { database, clock }: Pick<AppContext, 'database' | 'clock'>,
  isStopping: () => boolean = () => false,
): Promise<void> {
  for (const server of await findQueuesWithoutServer(database.scans(), batch)) {
    const unqueueBatch = () => unqueueServer(database, server, { now: clock.now(), limit: batch })
    while (!isStopping() && (await unqueueBatch()) === batch);
    if (isStopping()) return
    await deleteUnchangedQueue(database, server)
  }
}

/** Writes when servers have last fetched commands. */
export function writeFetchTimes({ fetchTimes, log }: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'write-fetch-times',
    everyMs: 2000,
    log,
    async run() {
      fetchTimes.prune()
      await fetchTimes.flush()
    },
  })
}

/** Exports what waits to be given out, and how many game servers are connected. */
export function measureQueues({ database, log, queueMetrics }: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'measure-command-queues',
    everyMs: 10_000,
    log,
    async run() {
      const { due, oldestDueAge, stuck, connected, disconnected } = await readBacklog(database.scans(), 100_000)
      queueMetrics.due.set(due)
      queueMetrics.oldestDue.set(oldestDueAge)
      queueMetrics.stuckNow.set(stuck)
      queueMetrics.servers.set({ state: 'connected' }, connected)
      queueMetrics.servers.set({ state: 'disconnected' }, disconnected)
    },
  })
}

const keptMs = 90 * 24 * 3_600_000
const batch = 1000
