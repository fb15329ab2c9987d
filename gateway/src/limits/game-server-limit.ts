import { BoundedMap, type Grant, type Limit, rateLimited } from '@storekeep/common/http'
import type { Counter } from '@storekeep/common/telemetry'

/**
 * Limits the requests of each game server: a token bucket that holds a quarter of a minute's requests. Counts in this process, so several
 * gateways grant more together. A count that they share would cost a Redis command per request, more than the empty poll that it prevents;
 * plugins ignore 429 and poll on.
 *
 * @param options.perMinute requests that a server may make for any length of time
 */
export function createGameServerLimit({
  policy,
  perMinute,
  limited,
  monotonicMs,
}: GameServerLimitOptions): GameServerLimit {
  const buckets = new BoundedMap<string, Bucket>(50_000)
  const burst = Math.max(1, Math.ceil(perMinute / 4))
  const intervalMs = 60_000 / perMinute

  return {
    take(gameServerId) {
      const now = monotonicMs()
      const bucket = buckets.get(gameServerId) ?? { requests: burst, at: now }
      const requests = Math.min(burst, bucket.requests + (now - bucket.at) / intervalMs)
      buckets.set(gameServerId, { requests: requests < 1 ? requests : requests - 1, at: now })
      if (requests >= 1) return
      limited.inc({ policy })
      const limit: Limit = { policy, key: gameServerId, quota: perMinute }
      const rejected: Grant = { limit, granted: false, remaining: 0, resetInMs: (1 - requests) * intervalMs }
      throw rateLimited(rejected, [rejected])
    },
  }
}

export interface GameServerLimit {
  /** Counts a request. @throws RateLimited */
  take(gameServerId: string): void
}

export type GameServerPolicy = 'game-server-poll' | 'game-server-events'

interface GameServerLimitOptions {
  /** Name of the limit in responses and metrics. */
  policy: GameServerPolicy
  perMinute: number
  /** Counts the rejected requests by policy. */
  limited: Counter
  monotonicMs: () => number
}

interface Bucket {
  /** How many requests the server may make; not an integer while it fills. */
  requests: number
  /** When that was counted. */
  at: number
}
