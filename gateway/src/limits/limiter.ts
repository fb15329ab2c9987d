import { createHash } from 'node:crypto'
import type { Redis } from '@storekeep/common/redis'
import { BoundedMap } from '../bounded-map.ts'
import type { Counter } from '../metrics.ts'
import { type Grant, type LazyLimit, type Limit, windowMs } from './limit.ts'
import { createLocalWindows } from './local-windows.ts'
import { slidingWindowScript } from './sliding-window-script.ts'

/**
 * Counts requests against limits that all gateway replicas share, in one Redis call.
 *
 * A sliding window of 60 one-second slots: a limit of n per minute grants at most n requests in any 60 s, and n per
 * minute sustained. (A leaky bucket of size n would grant 2n in the first minute.) When Redis does not respond in time,
 * this process counts alone and grants its share of the quota, so that an outage neither lifts the limits nor blocks
 * every caller. Requests that Redis granted before count against that share: those of this process, and at least its
 * share of all requests that Redis reported. What a process grants alone is added to Redis with its next request.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const { redis, replicas, limited, fallbacks, monotonicMs } = options
  const local = createLocalWindows({ monotonicMs })
  const missedByRedis = createMissedCounts(monotonicMs)
  /** Exhausted limits, so that a flood of refused requests costs no I/O. */
  const exhaustedUntil = new BoundedMap<string, number>(10_000)

  async function count(limits: readonly Limit[]): Promise<Grant[]> {
    const missed = limits.map((limit) => missedByRedis.take(keyOf(limit)))
    try {
      return await countInRedis(limits, missed)
    } catch {
      fallbacks.inc({ use: 'rate-limit' })
      const shares = limits.map((one) => ({ ...one, quota: Math.max(1, Math.floor(one.quota / replicas)) }))
      const grants = local.take(shares)
      const added = grants.every(({ granted }) => granted) ? 1 : 0
      for (const [index, limit] of limits.entries()) missedByRedis.add(keyOf(limit), (missed[index] ?? 0) + added)
      return grants
    }
  }

  async function countInRedis(limits: readonly Limit[], missed: readonly number[]): Promise<Grant[]> {
    const keys = limits.map((limit) => `limit:${limit.policy}:${digest(limit.key)}`)
    const args = limits.flatMap(({ quota }, index) => [quota, windowMs, missed[index] ?? 0].map(String))
    const result = (await redis.run(slidingWindowScript, keys, args)) as number[]
    const counted = limits.map((limit, index) => {
      const [granted = 0, used = 0, resetInMs = 0] = result.slice(index * 3, index * 3 + 3)
      const grant = { limit, granted: granted === 1, remaining: Math.max(0, limit.quota - used), resetInMs }
      return { grant, used }
    })
    const allGranted = counted.every(({ grant }) => grant.granted)
    for (const { grant, used } of counted) {
      local.record({ limit: grant.limit, granted: allGranted }, Math.ceil(used / replicas))
    }
    return counted.map(({ grant }) => grant)
  }

  async function take(limits: readonly (Limit | LazyLimit)[]): Promise<LimitResult> {
    const known = limits.filter(hasKey)
    const exhausted = known.find((limit) => (exhaustedUntil.get(keyOf(limit)) ?? 0) > monotonicMs())
    if (!exhausted && known.length < limits.length) return takeLazy(limits, known)
    const grants = exhausted
      ? [stillExhausted(exhausted, exhaustedUntil.get(keyOf(exhausted)) ?? 0, monotonicMs())]
      : await count(known)
    const refused = grants.find((grant) => !grant.granted)
    if (refused) {
      limited.inc({ policy: refused.limit.policy })
      exhaustedUntil.set(keyOf(refused.limit), monotonicMs() + refused.resetInMs)
    }
    return { grants, refused }
  }

  async function takeLazy(limits: readonly (Limit | LazyLimit)[], known: readonly Limit[]): Promise<LimitResult> {
    let resolved: Limit[]
    try {
      resolved = await Promise.all(limits.map(resolveKey))
    } catch (error) {
      // Counted all the same, so that the other limits hold while the key is unavailable.
      const result = await take(known)
      if (result.refused) return result
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
  take(limits: readonly (Limit | LazyLimit)[]): Promise<LimitResult>
}

export interface LimitResult {
  grants: readonly Grant[]
  refused: Grant | undefined
}

interface LimiterOptions {
  redis: Pick<Redis, 'run'>
  replicas: number
  /** Counts the refused requests, by policy. */
  limited: Counter
  /** Counts the fallbacks from Redis to local counting. */
  fallbacks: Counter
  /** Milliseconds; only differences matter. */
  monotonicMs: () => number
}

/** Requests granted without Redis, by limit, that still count in the current window. */
function createMissedCounts(monotonicMs: () => number) {
  const counts = new BoundedMap<string, { count: number; latest: number }>(50_000)
  function take(key: string): number {
    const known = counts.get(key)
    counts.delete(key)
    return known !== undefined && known.latest > monotonicMs() - windowMs ? known.count : 0
  }
  return {
    /** Returns the count and forgets it. */
    take,
    add(key: string, count: number): void {
      const sum = take(key) + count
      if (sum > 0) counts.set(key, { count: sum, latest: monotonicMs() })
    },
  }
}

function hasKey(limit: Limit | LazyLimit): limit is Limit {
  return typeof limit.key === 'string'
}

async function resolveKey(limit: Limit | LazyLimit): Promise<Limit> {
  return hasKey(limit) ? limit : { ...limit, key: await limit.key() }
}

function keyOf(limit: Limit): string {
  return `${limit.policy}:${limit.key}`
}

function stillExhausted(limit: Limit, until: number, now: number): Grant {
  return { limit, granted: false, remaining: 0, resetInMs: until - now }
}

/** Keeps names and addresses of people out of Redis. */
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22)
}
