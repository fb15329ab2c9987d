import { isFlakeId, requireFlakeId } from '@storekeep/common/flake'
import { type Call, requireStore } from '@storekeep/common/grpc'
import { deliveryLimits } from '@storekeep/proto/conventions/limits'
import { lockQueues } from '../../attempts/db/queue-repository.ts'
import type { ServerKey } from '../../attempts/db/schema.ts'
import { releaseFollowers } from '../../attempts/steps/queue-commands.ts'
import type { AppContext, CommandQueueHandlers } from '../../context.ts'
import { lockItems } from '../../items/db/item-repository.ts'
import { activateItems } from '../../items/steps/activate-items.ts'
import { findAttempts, markExecuted } from '../db/acknowledge-repository.ts'
import { publishCommandExecuted } from '../events/publish.ts'

/** Never fails for the ids, because plugins execute commands again after any error. */
export function acknowledgeCommands(ctx: AppContext): CommandQueueHandlers['acknowledgeCommands'] {
  return async ({ attemptIds, peerAddress: ip, ...request }, call) => {
    const storeId = requireStore(call)
    const gameServerId = requireFlakeId('game_server_id', request.gameServerId)
    await ctx.tokenEpochs.requireCurrent({ storeId, gameServerId }, request.tokenEpoch)
    const ids = [...new Set(attemptIds.filter(isFlakeId))]
    ctx.queueMetrics.acknowledgements.inc({ outcome: 'malformed' }, attemptIds.filter((id) => !isFlakeId(id)).length)
    let executedCount = 0
    for (let start = 0; start < ids.length; start += deliveryLimits.acknowledged) {
      const part = ids.slice(start, start + deliveryLimits.acknowledged)
      executedCount += await acknowledge(ctx, { storeId, gameServerId, ids: part, ip }, call)
    }
    return { executedCount }
  }
}

interface Acknowledged extends ServerKey {
  ids: readonly string[]
  ip: string
}

async function acknowledge(ctx: AppContext, { ids, ip, ...server }: Acknowledged, call: Call): Promise<number> {
  const { database, clock, queueMetrics } = ctx
  const known = await findAttempts(database, server, ids)
  const open = known.filter(({ isOpen }) => isOpen)
  const executed = open.length === 0 ? 0 : await execute()
  const count = (outcome: string, amount: number) => queueMetrics.acknowledgements.inc({ outcome }, amount)
  const repeated = known.filter(({ state }) => state === 'executed').length + open.length - executed
  count('executed', executed)
  count('repeated', repeated)
  count('unqueued', known.length - executed - repeated)
  count('unknown', ids.length - known.length)
  return executed

  async function execute(): Promise<number> {
    const itemIds = open.flatMap(({ itemId }) => itemId ?? [])
    const now = clock.now()
    const rows = await database.transaction(async (tx) => {
      const items = await lockItems(tx, server.storeId, [...new Set(itemIds)])
      await lockQueues(tx, server.storeId, [server.gameServerId])
      const openIds = open.map(({ id }) => id)
      const marked = await markExecuted(tx, server, openIds, { ip, at: now })
      for (const row of marked) await publishCommandExecuted(tx, row, call)
      const executed = new Set(marked.map(({ itemId }) => itemId))
      await activateItems(
        ctx,
        tx,
        items.filter(({ id }) => executed.has(id)),
        now,
        call,
      )
      await releaseFollowers(tx, server, marked)
      return marked
    }, call)
    for (const { onlineOnly, dueAt } of rows) {
      if (!onlineOnly) queueMetrics.latency.observe(Math.max(0, now.getTime() - dueAt.getTime()) / 1000)
    }
    return rows.length
  }
}
