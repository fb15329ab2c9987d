import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { type EndpointKey, openHeaders, selectHeaders } from '../../endpoints/db/endpoint-repository.ts'
import { openSecret, type SealedSecret, selectSigningSecrets } from '../../endpoints/db/secret-repository.ts'
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
import { allocateSlots } from '../domain/slots.ts'

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
export async function claimDeliveries(ctx: AppContext, free: { all: number; forFailing: number }): Promise<Claimed> {
  const now = ctx.clock.now()
  const leaseEnd = new Date(now.getTime() + ctx.attempts.leaseMs)
  const { claimed, sealed } = await ctx.database.transaction(async (tx) => {
    await preferIndexes(tx)
    const locked = await lockDueEndpoints(tx, now, maxEndpoints)
    if (locked.length === 0) return { claimed: [], sealed: [] }
    const enabled = locked.filter(({ isEnabled }) => isEnabled)
    const storeIds = [...new Set(enabled.map(({ storeId }) => storeId))]
    const allocations = allocateSlots(enabled, await countInFlight(tx, storeIds, now), free)
    const claimed = await leaseDue(
      tx,
      allocations.filter(({ slots }) => slots > 0),
      { now, leaseEnd },
    )
    const ended = await endDisabled(tx, locked, now)
    const done = ended.map((endpoint) => ({ endpoint, slots: 0, isDeferred: false, isFull: false }))
    await setQueuesDue(tx, [...allocations, ...done], { deferredUntil: new Date(now.getTime() + deferMs) })
    return { claimed, sealed: await readSealed(tx, claimed, enabled, now) }
  })
  return prepare(ctx, claimed, sealed)
}

interface Claimed {
  prepared: PreparedDelivery[]
  /** Deliveries of endpoints whose secrets cannot be decrypted. */
  unreadable: ClaimedDelivery[]
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

/** The secrets of the claimed endpoints, still encrypted. */
async function readSealed(
  tx: Transaction,
  claimed: readonly ClaimedDelivery[],
  endpoints: readonly LockedEndpoint[],
  now: Date,
): Promise<SealedEndpoint[]> {
  const claimedIds = new Set(claimed.map(({ webhookEndpointId }) => webhookEndpointId))
  return await Promise.all(
    endpoints
      .filter(({ webhookEndpointId }) => claimedIds.has(webhookEndpointId))
      .map(async ({ storeId, webhookEndpointId: id, isFailing }) => ({
        key: { storeId, id },
        isFailing,
        secrets: await selectSigningSecrets(tx, { storeId, id }, now),
        headers: await selectHeaders(tx, { storeId, id }),
      })),
  )
}

interface SealedEndpoint {
  key: EndpointKey
  isFailing: boolean
  secrets: SealedSecret[]
  headers: Buffer | null
}

/** Decrypts outside of the transaction: one endpoint whose secrets cannot be decrypted must not undo the claims of others. */
function prepare(
  { secrets: box, log }: AppContext,
  claimed: readonly ClaimedDelivery[],
  sealed: readonly SealedEndpoint[],
): Claimed {
  const result: Claimed = { prepared: [], unreadable: [] }
  const byEndpoint = Map.groupBy(claimed, ({ webhookEndpointId }) => webhookEndpointId)
  for (const { key, isFailing, ...endpoint } of sealed) {
    const deliveries = byEndpoint.get(key.id) ?? []
    try {
      const secrets = endpoint.secrets.map((secret) => openSecret(box, key, secret))
      const headers = openHeaders(box, key, endpoint.headers)
      result.prepared.push(...deliveries.map((delivery) => ({ ...delivery, isFailing, secrets, headers })))
    } catch (error) {
      result.unreadable.push(...deliveries)
      const { storeId: store_id, id: webhook_endpoint_id } = key
      log.error({ err: error, store_id, webhook_endpoint_id }, 'the secrets of a webhook endpoint cannot be decrypted')
    }
  }
  return result
}

/** Queues per transaction. */
const maxEndpoints = 100
/** Deliveries of one disabled endpoint that end in a transaction. */
const maxEnded = 1000
const deferMs = 500
