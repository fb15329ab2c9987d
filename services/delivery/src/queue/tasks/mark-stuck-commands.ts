import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import { lockQueues } from '../../attempts/db/queue-repository.ts'
import type { AppContext } from '../../context.ts'
import { findUnacknowledged, markStuck } from '../db/stuck-repository.ts'
import { publishCommandStuck } from '../events/publish.ts'

/** Marks commands as stuck whose game server never acknowledged them. Replicas may run it concurrently. */
export function markStuckCommands(ctx: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'mark-stuck-commands',
    everyMs: ctx.sweepMs,
    log: ctx.log,
    run: (isStopping) => markAllStuck(ctx, isStopping),
  })
}

async function markAllStuck({ database, queueMetrics, log }: AppContext, isStopping: () => boolean): Promise<void> {
  for (;;) {
    const found = await findUnacknowledged(database.scans(), batch)
    for (const ofServer of Map.groupBy(found, ({ gameServerId }) => gameServerId).values()) {
      const [server] = ofServer
      if (!server || isStopping()) return
      const ids = ofServer.map(({ id }) => id)
      const stuck = await database.transaction(async (tx) => {
        await lockQueues(tx, server.storeId, [server.gameServerId])
        const rows = await markStuck(tx, server, ids)
        for (const row of rows) await publishCommandStuck(tx, row, { traceparent: undefined })
        return rows.length
      })
      queueMetrics.stuck.inc(stuck)
      const fields = { store_id: server.storeId, game_server_id: server.gameServerId, count: stuck }
      if (stuck > 0) log.warn(fields, 'commands of a game server are stuck: never acknowledged')
    }
    if (found.length < batch) return
  }
}

const batch = 500
