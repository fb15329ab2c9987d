import { createHash } from 'node:crypto'
import type { Redis } from '@storekeep/common/redis'
import { BoundedMap } from '../bounded-map.ts'
import type { Counter } from '../metrics.ts'
import { type Grant, type Limit, windowMs } from './limit.ts'
import { createLocalWindows } from './local-windows.ts'
import { slidingWindowScript } from './sliding-window-script.ts'

/**
 * Counts requests against limits that all gateways share, in one Redis call.
 *
 * A limit of n per minute grants at most n in any 60 s, and n per minute on and on: requests are counted in 60 slots
 * of a second that slide with the time. (A leaky bucket of size n would let 2 n through in the first minute.) When
 * Redis cannot be asked within its time, this process counts for itself and grants its share of the limit: an outage
 * neither lifts the limits nor closes the shop.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const { redis, replicas, limited, fallbacks, now } = options
  const local = createLocalWindows({ now })
  /** Keys known to be used up: a flood of refused requests costs no I/O. */
  const closed = new BoundedMap<string, number>(10_000)

  async function count(limits: readonly Limit[]): Promise<Grant[]> {
    try {
      return await countInRedis(limits)
    } catch {
      fallbacks.inc({ use: 'rate-limit' })
      return local.take(limits.map((one) => ({ ...one, quota: Math.max(1, Math.floor(one.quota / replicas)) })))
    }
  }

  async function countInRedis(limits: readonly Limit[]): Promise<Grant[]> {
    const keys = limits.map((limit) => `limit:${limit.policy}:${digest(limit.key)}`)
    const args = limits.flatMap((limit) => [String(limit.quota), String(windowMs)])
    const answer = (await redis.run(slidingWindowScript, keys, args)) as number[]
    return limits.map((limit, index) => {
      const [granted = 0, used = 0, opensInMs = 0] = answer.slice(index * 3, index * 3 + 3)
      return { limit, granted: granted === 1, remaining: Math.max(0, limit.quota - used), opensInMs }
    })
  }

  return {
    async take(limits) {
      const shut = limits.find((limit) => (closed.get(closedKey(limit)) ?? 0) > now())
      const grants = shut ? [stillClosed(shut, closed.get(closedKey(shut)) ?? 0, now())] : await count(limits)
      const refused = grants.find((grant) => !grant.granted)
      if (refused) {
        limited.inc({ policy: refused.limit.policy })
        closed.set(closedKey(refused.limit), now() + refused.opensInMs)
      }
      return { grants, refused }
    },
  }
}

export interface Limiter {
  /** Counts one request against all of the limits, or against none when one of them is used up. */
  take(limits: readonly Limit[]): Promise<Admission>
}

export interface Admission {
  grants: readonly Grant[]
  refused: Grant | undefined
}

interface LimiterOptions {
  redis: Pick<Redis, 'run'>
  replicas: number
  /** Counts the refused requests, by policy. */
  limited: Counter
  /** Counts the times that Redis could not be asked. */
  fallbacks: Counter
  /** Milliseconds; only differences matter. */
  now: () => number
}

function closedKey(limit: Limit): string {
  return `${limit.policy}:${limit.key}`
}

function stillClosed(limit: Limit, until: number, now: number): Grant {
  return { limit, granted: false, remaining: 0, opensInMs: until - now }
}

/** Names and addresses of people do not lie about in Redis. */
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22)
}
