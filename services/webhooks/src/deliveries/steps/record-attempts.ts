import { internalActor } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import type { Database, Transaction } from '@storekeep/common/postgres'
import { formatTraceparent, unrecordedContext } from '@storekeep/common/telemetry'
import type { AppContext } from '../../context.ts'
import type { DisabledReason } from '../../endpoints/domain/endpoint.ts'
import { publishEndpointDisabled } from '../../endpoints/events/publish.ts'
import {
  type AttemptEnd,
  disableEndpoint,
  type EndpointTarget,
  lockQueues,
  recordEnds,
  selectHealth,
  updateHealth,
} from '../db/result-repository.ts'
import { preferIndexes, wakeQueues } from '../db/schedule-repository.ts'
import { judgeEndpoint } from '../domain/health.ts'

/** Records attempts that have ended: the state of their deliveries, the log, and the health of their endpoints. */
export async function recordAttempts(ctx: RecordContext, ends: readonly AttemptEnd[]): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    await preferIndexes(tx)
    await lockQueues(tx, ends)
    const recorded = await recordEnds(tx, ends)
    await wakeQueues(tx, ends)
    await recordHealth(
      ctx,
      tx,
      ends.filter(({ lease }) => recorded.has(lease)),
    )
  })
}

/** The part of the context that recording uses. */
type RecordContext = Pick<AppContext, 'clock' | 'log'> & { database: Pick<Database, 'transaction'> }

async function recordHealth(ctx: RecordContext, tx: Transaction, ends: readonly AttemptEnd[]): Promise<void> {
  const byEndpoint = Map.groupBy(ends, ({ webhookEndpointId }) => webhookEndpointId)
  for (const { endpoint, health } of await selectHealth(tx, ends)) {
    const attempts = (byEndpoint.get(endpoint.webhookEndpointId) ?? []).filter(({ url }) => url === endpoint.url)
    if (attempts.length === 0) continue
    const judged = judgeEndpoint(
      health,
      attempts.map(({ responseStatus, startedAt }) => ({ status: responseStatus ?? undefined, startedAt })),
    )
    if (health.failingSince !== null || judged.health.failingSince !== null) {
      await updateHealth(tx, endpoint, health, judged.health)
    }
    if (judged.disabledReason === null) continue
    await disable(ctx, tx, endpoint, judged.health.failingSince, judged.disabledReason)
  }
}

async function disable(
  { clock, log }: RecordContext,
  tx: Transaction,
  endpoint: EndpointTarget,
  failingSince: Date | null,
  disabledReason: DisabledReason,
): Promise<void> {
  const by = { updatedBy: actorText(internalActor), updatedAt: clock.now() }
  const disabled = await disableEndpoint(tx, endpoint, { failingSince, disabledReason }, by)
  if (!disabled) return
  await publishEndpointDisabled(tx, disabled, { traceparent: formatTraceparent(unrecordedContext()) })
  tx.afterCommit(() => {
    const { storeId: store_id, webhookEndpointId: webhook_endpoint_id } = endpoint
    log.info({ store_id, webhook_endpoint_id, reason: disabledReason }, 'webhook endpoint disabled')
  })
}
