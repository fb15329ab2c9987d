import { BoundedMap, type Grant, type Limit, rateLimited } from '@storekeep/common/http'
import type { Counter } from '@storekeep/common/telemetry'

/**
 * Limits the polls of each game server: a token bucket that holds a quarter of a minute's polls. Counts in this process, so several
 * gateways grant more together. A count that they share would cost a Redis command per poll, more than the empty poll that it prevents;
 * plugins ignore 429 and poll on.
 *
 * @param options.perMinute polls that a server may make for any length of time
 */
export function createPollLimits({ perMinute, limited, monotonicMs }: PollLimitOptions): PollLimits {
  const buckets = new BoundedMap<string, Bucket>(50_000)
  const burst = Math.max(1, Math.ceil(perMinute / 4))
  const intervalMs = 60_000 / perMinute

  return {
    take(gameServerId) {
      const now = monotonicMs()
      const bucket = buckets.get(gameServerId) ?? { polls: burst, at: now }
      const polls = Math.min(burst, bucket.polls + (now - bucket.at) / intervalMs)
      buckets.set(gameServerId, { polls: polls < 1 ? polls : polls - 1, at: now })
      if (polls >= 1) return
      limited.inc({ policy })
      const limit: Limit = { policy, key: gameServerId, quota: perMinute }
      const rejected: Grant = { limit, granted: false, remaining: 0, resetInMs: (1 - polls) * intervalMs }
      throw rateLimited(rejected, [rejected])
    },
  }
}

export interface PollLimits {
  /** Counts a poll. @throws RateLimited */
  take(gameServerId: string): void
}

interface PollLimitOptions {
  perMinute: number
  /** Counts the rejected polls, as the policy `game-server-poll`. */
  limited: Counter
  monotonicMs: () => number
}

interface Bucket {
  /** How many polls the server may make; not an integer while it fills. */
  polls: number
  /** When that was counted. */
  at: number
}

const policy = 'game-server-poll'
