import { BoundedMap, createLocalWindows, type Grant, keyOf, type LazyLimit, type Limit } from '@storekeep/common/http'
import type { Redis } from '@storekeep/common/redis'
import type { Counter } from '@storekeep/common/telemetry'
import { createLeases, isLeased } from './leases.ts'
import { createRedisCounter } from './redis-counter.ts'

/**
 * Counts requests against limits that all gateway replicas share through Redis.
 *
 * A sliding window of 60 one-second slots: a limit of n per minute grants at most n requests in any 60 s, and n per
 * minute sustained. (A leaky bucket of size n would grant 2n in the first minute.) Limits of authenticated callers with a
 * large quota are counted through leases, all others request by request. When Redis times out,
 * this process counts alone and grants its share of the quota, so that an outage neither lifts the limits nor blocks
 * every caller. Requests that Redis granted before count against that share: this process's own, and at least its
 * share of all requests that Redis reported. What a process grants alone is added to Redis with its next request.
 */
export function createLimiter({ redis, replicas, limited, fallbacks, monotonicMs }: LimiterOptions): Limiter {
  const local = createLocalWindows({ monotonicMs })
  const counter = createRedisCounter({ redis, monotonicMs })
  const recordGranted = (limit: Limit, count: number, used: number) =>
    local.record(limit, count, Math.ceil(used / replicas))
  const leases = createLeases({
    count: counter.count,
    monotonicMs,
    onGranted: recordGranted,
    fallBack: (limit) => countAlone([limit])[0] as Grant,
  })
  /** Exhausted limits, so that a flood of rejected requests costs no I/O. */
  const exhaustedUntil = new BoundedMap<string, number>(10_000)

  async function count(limits: readonly Limit[]): Promise<Grant[]> {
    try {
      const { granted, counters } = await counter.count(() => ({ limits, needed: 1, spare: 0, unspent: noUnspent }))
      return limits.map((limit, index) => {
        const { used = 0, wasExhausted = true, resetInMs = 0 } = counters[index] ?? {}
        recordGranted(limit, granted, used)
        return { limit, granted: !wasExhausted, remaining: Math.max(0, limit.quota - used), resetInMs }
      })
    } catch {
      return countAlone(limits)
    }
  }

  function countAlone(limits: readonly Limit[]): Grant[] {
    fallbacks.inc({ use: 'rate-limit' })
    const grants = local.take(limits.map((one) => ({ ...one, quota: Math.max(1, Math.floor(one.quota / replicas)) })))
    if (grants.every(({ granted }) => granted)) for (const limit of limits) counter.addMissed(limit)
    return grants
  }

  function take(limits: readonly (Limit | LazyLimit)[]): LimitResult | Promise<LimitResult> {
    const known = limits.filter(hasKey)
    const now = monotonicMs()
    const exhausted = known.find((limit) => (exhaustedUntil.get(keyOf(limit)) ?? 0) > now)
    if (exhausted) return conclude([stillExhausted(exhausted, exhaustedUntil.get(keyOf(exhausted)) ?? 0, now)])
    if (known.length < limits.length) return takeLazy(limits, known)
    const [only] = known
    const grants = only && known.length === 1 && isLeased(only) ? leases.take(only) : count(known)
    if (grants instanceof Promise) return grants.then((all) => conclude(Array.isArray(all) ? all : [all]))
    return conclude([grants])
  }

  function conclude(grants: readonly Grant[]): LimitResult {
    const rejected = grants.find((grant) => !grant.granted)
    if (rejected) {
      limited.inc({ policy: rejected.limit.policy })
      exhaustedUntil.set(keyOf(rejected.limit), monotonicMs() + rejected.resetInMs)
    }
    return { grants, rejected }
  }

  async function takeLazy(limits: readonly (Limit | LazyLimit)[], known: readonly Limit[]): Promise<LimitResult> {
    let resolved: Limit[]
    try {
      resolved = await Promise.all(limits.map(resolveKey))
    } catch (error) {
      // Counted all the same, so that the other limits hold while the key is unavailable.
      const result = await take(known)
      if (result.rejected) return result
      throw error
    }
    return take(resolved)
  }

  return { take }
}

export interface Limiter {
  /**
   * Counts one request against all of the limits, or against none when any of them is exhausted. When a lazy key fails,
   * counts against the other limits and rejects with that failure unless one of them is exhausted.
   */
  take(limits: readonly (Limit | LazyLimit)[]): LimitResult | Promise<LimitResult>
}

export interface LimitResult {
  grants: readonly Grant[]
  rejected: Grant | undefined
}

interface LimiterOptions {
  redis: Pick<Redis, 'run' | 'slotOf'>
  replicas: number
  /** Counts the rejected requests, by policy. */
  limited: Counter
  /** Counts the fallbacks from Redis to local counting. */
  fallbacks: Counter
  /** Milliseconds; only differences matter. */
  monotonicMs: () => number
}

const noUnspent = { count: 0, slot: 0 }

function hasKey(limit: Limit | LazyLimit): limit is Limit {
  return typeof limit.key === 'string'
}

async function resolveKey(limit: Limit | LazyLimit): Promise<Limit> {
  return hasKey(limit) ? limit : { ...limit, key: await limit.key() }
}

function stillExhausted(limit: Limit, until: number, now: number): Grant {
  return { limit, granted: false, remaining: 0, resetInMs: until - now }
}
