import type { Database, Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { openHeaders } from '../../endpoints/db/endpoint-repository.ts'
import { openSecret, type SealedEndpoint, selectSealed } from '../../endpoints/db/secret-repository.ts'
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
import { allocateSlots, type FreeSlots } from '../domain/slots.ts'

/** What an attempt needs. */
export interface PreparedDelivery extends ClaimedDelivery {
  isFailing: boolean
  /** Monotonic time after which its request could outlast the lease. */
  startBeforeMs: number
  /** The secrets that sign, the newest first. */
  secrets: readonly string[]
  headers: Headers
}

/**
 * Claims due deliveries for this process: others do not attempt them before the lease ends. Also ends the deliveries of
 * endpoints that were disabled or deleted.
 *
 * Leases end by the clock of the database, the same for all replicas. This process only measures how long it has held them, from
 * before the transaction, so the wall clocks of replicas do not matter.
 *
 * @param free how many attempts this process may start
 */
export async function claimDeliveries(ctx: ClaimContext, free: FreeSlots): Promise<Claimed> {
  const { leaseMs, timeoutMs } = ctx.attempts
  const startBeforeMs = ctx.clock.monotonicMs() + leaseMs - timeoutMs
  const { claimed, sealed, failing } = await ctx.database.transaction(async (tx) => {
    await preferIndexes(tx)
    const locked = await lockDueEndpoints(tx, maxEndpoints)
    if (locked.length === 0) return { claimed: [], sealed: [], failing: new Set<string>() }
    const enabled = locked.filter(({ isEnabled }) => isEnabled)
    const storeIds = [...new Set(enabled.map(({ storeId }) => storeId))]
    const allocations = allocateSlots(enabled, await countInFlight(tx, storeIds), free)
    const claimed = await leaseDue(
      tx,
      allocations.filter(({ slots }) => slots > 0),
      leaseMs,
    )
    const ended = await endDisabled(tx, locked)
    const done = ended.map((endpoint) => ({ endpoint, slots: 0, isDeferred: false, isFull: false }))
    await setQueuesDue(tx, [...allocations, ...done], { leaseMs, deferMs })
    const keys = new Map(claimed.map(({ storeId, webhookEndpointId: id }) => [id, { storeId, id }]))
    const failing = new Set(enabled.flatMap((one) => (one.isFailing ? one.webhookEndpointId : [])))
    return { claimed, sealed: await selectSealed(tx, [...keys.values()], ctx.clock.now()), failing }
  })
  const { opened, unreadable } = openSealed(ctx, sealed)
  const prepared = claimed.flatMap((delivery) => {
    const { webhookEndpointId: id } = delivery
    const secrets = opened.get(id)
    return secrets ? [{ ...delivery, ...secrets, startBeforeMs, isFailing: failing.has(id) }] : []
  })
  return { prepared, unreadable: claimed.filter(({ webhookEndpointId }) => unreadable.has(webhookEndpointId)) }
}

/** The part of the context that a claim uses. */
type ClaimContext = Pick<AppContext, 'attempts' | 'clock' | 'log' | 'secrets'> & {
  database: Pick<Database, 'transaction'>
}

interface Claimed {
  prepared: PreparedDelivery[]
  /** Deliveries of endpoints whose secrets cannot be decrypted. */
  unreadable: ClaimedDelivery[]
}

/** @returns the endpoints without pending deliveries left; the queues of the others stay due */
async function endDisabled(tx: Transaction, locked: readonly LockedEndpoint[]): Promise<LockedEndpoint[]> {
  const ended: LockedEndpoint[] = []
  for (const endpoint of locked) {
    if (endpoint.isEnabled) continue
    if (await failPending(tx, endpoint, { error: 'The endpoint was disabled.', limit: maxEnded })) ended.push(endpoint)
  }
  return ended
}

/** Decrypts outside of the transaction, so that a failure for one endpoint does not undo the claims of others. */
function openSealed({ secrets: box, log }: ClaimContext, sealed: readonly SealedEndpoint[]) {
  const opened = new Map<string, Pick<PreparedDelivery, 'secrets' | 'headers'>>()
  const unreadable = new Set<string>()
  for (const { key, ...endpoint } of sealed) {
    try {
      const secrets = endpoint.secrets.map((secret) => openSecret(box, key, secret))
      opened.set(key.id, { secrets, headers: openHeaders(box, key, endpoint.headers) })
    } catch (error) {
      unreadable.add(key.id)
      const { storeId: store_id, id: webhook_endpoint_id } = key
      log.error({ err: error, store_id, webhook_endpoint_id }, 'webhook secret decryption failed')
    }
  }
  return { opened, unreadable }
}

/** Queues per transaction. */
const maxEndpoints = 100
/** Deliveries of one disabled endpoint that end in a transaction. */
const maxEnded = 1000
const deferMs = 500
