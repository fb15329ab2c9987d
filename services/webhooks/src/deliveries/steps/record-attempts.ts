import { internalActor } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import type { Transaction } from '@storekeep/common/postgres'
import { formatTraceparent, unrecordedContext } from '@storekeep/common/telemetry'
import type { AppContext } from '../../context.ts'
import { publishEndpointDisabled } from '../../endpoints/events/publish.ts'
import {
  type AttemptEnd,
  disableEndpoint,
  type EndpointTarget,
  lockQueues,
  recordEnds,
  selectFailingSince,
  updateFailingSince,
} from '../db/result-repository.ts'
import { preferIndexes, wakeQueues } from '../db/schedule-repository.ts'
import { judgeEndpoint } from '../domain/health.ts'

/** Records attempts that have ended: the state of their deliveries, the log, and the health of their endpoints. */
export async function recordAttempts(ctx: AppContext, ends: readonly AttemptEnd[]): Promise<void> {
  const now = ctx.clock.now()
  await ctx.database.transaction(async (tx) => {
    await preferIndexes(tx)
    await lockQueues(tx, ends)
    const recorded = await recordEnds(tx, ends, now)
    await wakeQueues(tx, ends, now)
    await recordHealth(
      ctx,
      tx,
      ends.filter(({ lease }) => recorded.has(lease)),
    )
  })
}

async function recordHealth(ctx: AppContext, tx: Transaction, ends: readonly AttemptEnd[]): Promise<void> {
  const byEndpoint = Map.groupBy(ends, ({ webhookEndpointId }) => webhookEndpointId)
  for (const { failingSince, ...endpoint } of await selectFailingSince(tx, ends)) {
    const attempts = (byEndpoint.get(endpoint.webhookEndpointId) ?? []).filter(({ url }) => url === endpoint.url)
    if (attempts.length === 0) continue
    const health = judgeEndpoint(
      failingSince,
      attempts.map(({ responseStatus, startedAt }) => ({ status: responseStatus ?? undefined, startedAt })),
    )
    if (health.disabledReason !== null) await disable(ctx, tx, endpoint, health)
    else if (health.failingSince?.getTime() !== failingSince?.getTime()) {
      await updateFailingSince(tx, endpoint, health.failingSince)
    }
  }
}

async function disable(
  { clock, log }: AppContext,
  tx: Transaction,
  endpoint: EndpointTarget,
  health: ReturnType<typeof judgeEndpoint>,
): Promise<void> {
  const by = { updatedBy: actorText(internalActor), updatedAt: clock.now() }
  const disabled = await disableEndpoint(tx, endpoint, health, by)
  if (!disabled) return
  await publishEndpointDisabled(tx, disabled, { traceparent: formatTraceparent(unrecordedContext()) })
  tx.afterCommit(() => {
    const { storeId: store_id, webhookEndpointId: webhook_endpoint_id } = endpoint
    log.info({ store_id, webhook_endpoint_id, reason: health.disabledReason }, 'webhook endpoint disabled')
  })
}
