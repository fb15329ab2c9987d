import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { readHeaders } from '../../endpoints/db/endpoint-repository.ts'
import { findSigningSecrets } from '../../endpoints/db/secret-repository.ts'
import type { Headers } from '../../endpoints/domain/endpoint.ts'
import {
  type ClaimedDelivery,
  countInFlight,
  failPending,
  type LockedEndpoint,
  leaseDue,
  lockDueEndpoints,
  setQueuesDue,
} from '../db/claim-repository.ts'
import { preferIndexes } from '../db/schedule-repository.ts'
import { divideRoom } from '../domain/rooms.ts'

/** What an attempt needs. */
export interface PreparedDelivery extends ClaimedDelivery {
  isFailing: boolean
  /** The secrets that sign, the newest first. */
  secrets: readonly string[]
  headers: Headers
}

/**
 * Claims due deliveries for this process: others do not attempt them before the lease ends. Also ends the deliveries of
 * endpoints that were disabled or deleted.
 *
 * @param free how many attempts this process may start, and how many of them for failing endpoints
 */
export async function claimDeliveries(
  ctx: AppContext,
  free: { all: number; forFailing: number },
): Promise<PreparedDelivery[]> {
  const now = ctx.clock.now()
  const leaseEnd = new Date(now.getTime() + ctx.attempts.leaseMs)
  return ctx.database.transaction(async (tx) => {
    await preferIndexes(tx)
    const locked = await lockDueEndpoints(tx, now, maxEndpoints)
    if (locked.length === 0) return []
    const enabled = locked.filter(({ isEnabled }) => isEnabled)
    const storeIds = [...new Set(enabled.map(({ storeId }) => storeId))]
    const rooms = divideRoom(enabled, await countInFlight(tx, storeIds, now), free)
    const claimed = await leaseDue(
      tx,
      rooms.filter(({ room }) => room > 0),
      { now, leaseEnd },
    )
    const ended = await endDisabled(tx, locked, now)
    const done = ended.map((endpoint) => ({ endpoint, room: 0, isDeferred: false, isFull: false }))
    await setQueuesDue(tx, [...rooms, ...done], { deferredUntil: new Date(now.getTime() + deferMs) })
    return await prepare(ctx, tx, claimed, enabled)
  })
}

/** @returns the endpoints without pending deliveries left; the queues of the others stay due */
async function endDisabled(tx: Transaction, locked: readonly LockedEndpoint[], now: Date): Promise<LockedEndpoint[]> {
  const ended: LockedEndpoint[] = []
  for (const endpoint of locked) {
    if (endpoint.isEnabled) continue
    if (await failPending(tx, endpoint, { error: 'The endpoint was disabled.', now, limit: maxEnded }))
      ended.push(endpoint)
  }
  return ended
}

async function prepare(
  ctx: AppContext,
  tx: Transaction,
  claimed: readonly ClaimedDelivery[],
  endpoints: readonly LockedEndpoint[],
): Promise<PreparedDelivery[]> {
  const now = ctx.clock.now()
  const byEndpoint = Map.groupBy(claimed, ({ webhookEndpointId }) => webhookEndpointId)
  const prepared = await Promise.all(
    endpoints.map(async ({ storeId, webhookEndpointId, isFailing }) => {
      const deliveries = byEndpoint.get(webhookEndpointId)
      if (!deliveries) return []
      const key = { storeId, id: webhookEndpointId }
      const [secrets, headers] = await Promise.all([
        findSigningSecrets(tx, ctx.secrets, key, now),
        readHeaders(tx, ctx.secrets, key),
      ])
      return deliveries.map((delivery) => ({ ...delivery, isFailing, secrets, headers }))
    }),
  )
  return prepared.flat()
}

/** Queues per transaction. */
const maxEndpoints = 100
/** Deliveries of one disabled endpoint that end in a transaction. */
const maxEnded = 1000
const deferMs = 500
