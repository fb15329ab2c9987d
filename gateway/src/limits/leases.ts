import { BoundedMap, type Grant, keyOf, type Limit } from '@storekeep/common/http'
import { type Counted, leaseMs, type RedisCounter, type UnspentLease } from './redis-counter.ts'

/**
 * Grants requests from shares of a quota that this gateway takes from Redis in advance, so that most requests of a busy
 * caller cost no I/O (docs/decisions/0022).
 *
 * Redis counts a lease when it is taken, so all gateways together never exceed the quota. A lease is as large as the demand
 * of the last one, up to 1/600 of the quota: a caller that pauses loses at most that per gateway, since the unspent part is
 * returned only with the next request. A caller's first request takes no lease. One call per limit is in flight at a time;
 * requests that arrive meanwhile wait for it.
 */
export function createLeases({ count, monotonicMs, onGranted, fallBack }: LeaseOptions): Leases {
  const leases = new BoundedMap<string, Lease>(10_000)

  function leaseOf(limit: Limit): Lease {
    const key = keyOf(limit)
    let lease = leases.get(key)
    if (!lease) {
      lease = { ...noLease, waiting: [], isRequested: false }
      leases.set(key, lease)
    }
    return lease
  }

  async function request(lease: Lease, limit: Limit): Promise<void> {
    lease.isRequested = true
    let waiting: Waiting[] = []
    let sentAt = 0
    try {
      const counted = await count(() => {
        waiting = lease.waiting
        lease.waiting = []
        sentAt = monotonicMs()
        const spare = Math.min(demandOf(lease, sentAt), maxLease(limit.quota))
        return { limits: [limit], needed: waiting.length, spare, unspent: end(lease, limit) }
      })
      begin(lease, limit, { counted, waiting, sentAt })
    } catch {
      for (const resolve of waiting) resolve(fallBack(limit))
    }
    lease.isRequested = false
    for (const resolve of lease.waiting.splice(0)) void Promise.resolve(take(limit)).then(resolve)
  }

  /** Ends the lease of a limit. @returns its unspent part */
  function end(lease: Lease, limit: Limit): UnspentLease {
    onGranted(limit, lease.size - lease.left, 0)
    const unspent = { count: lease.left, slot: lease.slot }
    Object.assign(lease, noLease)
    return unspent
  }

  function begin(lease: Lease, limit: Limit, { counted, waiting, sentAt }: LeaseGrant): void {
    const { granted, counters } = counted
    const [{ used, resetInMs, leaseSlot } = unknownState] = counters
    const direct = Math.min(granted, waiting.length)
    const size = granted - direct
    onGranted(limit, direct, used - size)
    Object.assign(lease, { size, left: size, slot: leaseSlot, demand: direct, sentAt, until: sentAt + leaseMs })
    lease.remaining = Math.max(0, limit.quota - used)
    lease.resetAt = monotonicMs() + resetInMs
    for (const [index, resolve] of waiting.entries()) {
      const remaining = lease.remaining + Math.max(0, granted - index - 1)
      resolve({ limit, granted: index < granted, remaining, resetInMs })
    }
  }

  function take(limit: Limit): Grant | Promise<Grant> {
    const lease = leaseOf(limit)
    const now = monotonicMs()
    if (lease.left > 0 && now < lease.until) {
      lease.left -= 1
      const resetInMs = Math.max(1, lease.resetAt - now)
      return { limit, granted: true, remaining: lease.remaining + lease.left, resetInMs }
    }
    return new Promise((resolve) => {
      lease.waiting.push(resolve)
      if (!lease.isRequested) void request(lease, limit)
    })
  }

  return { take }
}

/** Whether the limit is counted through leases. Below 1,200 requests per minute, a lease would be a single request. */
export function isLeased({ leased, quota }: Pick<Limit, 'leased' | 'quota'>): boolean {
  return leased === true && maxLease(quota) > 1
}

function maxLease(quota: number): number {
  return Math.floor(quota / 600)
}

/** The requests to expect within the next lease, if they continue at the rate since the last one was requested. */
function demandOf({ demand, size, left, sentAt }: Lease, now: number): number {
  return Math.floor(((demand + size - left) * leaseMs) / Math.max(minRateMs, now - sentAt))
}

/** Requests closer together than this are a burst, not a rate. */
const minRateMs = 10

export interface Leases {
  /** Counts a request against a limit for which `isLeased` is true. */
  take(limit: Limit): Grant | Promise<Grant>
}

interface LeaseOptions {
  count: RedisCounter['count']
  monotonicMs: () => number
  /**
   * Called for requests granted by Redis.
   * @param used requests of all gateways in the window, excluding unspent leases; 0 if unknown
   */
  onGranted(limit: Limit, count: number, used: number): void
  /** Counts a request without Redis. */
  fallBack(limit: Limit): Grant
}

interface Lease {
  /** What Redis granted in advance, and the remaining part. */
  size: number
  left: number
  /** The slot that Redis counts it in. */
  slot: number
  /** Requests that were waiting for the lease; they are not part of it. */
  demand: number
  /** When it was requested and until when it may be spent, on the monotonic clock. */
  sentAt: number
  until: number
  /** The rest of the quota, without the lease. */
  remaining: number
  resetAt: number
  waiting: Waiting[]
  /** Whether a request for a lease is in flight. */
  isRequested: boolean
}

type Waiting = (grant: Grant) => void

interface LeaseGrant {
  counted: Counted
  waiting: readonly Waiting[]
  sentAt: number
}

const noLease = { size: 0, left: 0, slot: 0, demand: 0, sentAt: 0, until: 0, remaining: 0, resetAt: 0 }
const unknownState = { used: 0, resetInMs: 1, leaseSlot: 0 }
