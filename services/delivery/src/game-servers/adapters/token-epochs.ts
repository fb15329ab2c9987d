import { setTimeout } from 'node:timers/promises'
import type { Logger } from '@storekeep/common/log'
import { createRedisFallbacks, defineScript, type Redis } from '@storekeep/common/redis'
import type { Metrics } from '@storekeep/common/telemetry'
import { gameServerEpochKey, gameServerTokenCacheMs } from '@storekeep/proto/conventions/game-server-token'

/**
 * Makes the token checks that gateways have cached outdated, through Redis, which they read before each use. If Redis fails, waits
 * until the cached checks have expired. So when the returned promise resolves, every gateway checks the token again.
 *
 * @param dependencies.waitMs how long a gateway uses a cached check; for tests
 */
export function createTokenEpochs({ redis, log, metrics, waitMs = gameServerTokenCacheMs }: Dependencies): TokenEpochs {
  const fallbacks = createRedisFallbacks(metrics, ['game-server-token'])

  async function raise(storeId: string, gameServerId: string, epoch: bigint): Promise<void> {
    try {
      await redis.run(raiseScript, [gameServerEpochKey(storeId, gameServerId)], [String(epoch), lifetimeMs])
    } catch (error) {
      fallbacks.inc({ use: 'game-server-token' })
      log.warn({ err: error }, 'redis write of a game server token epoch failed: waiting for caches to expire')
      await setTimeout(waitMs)
    }
  }

  return {
    raise: async ({ storeId, id, version }) => raise(storeId, id, version),
    raiseDeleted: async ({ storeId, id }) => raise(storeId, id, deletedEpoch),
  }
}

interface Dependencies {
  redis: Pick<Redis, 'run'>
  log: Logger
  metrics: Metrics
  waitMs?: number
}

export interface TokenEpochs {
  /** Outdates checks of versions before this one. Never throws. */
  raise(server: { storeId: string; id: string; version: bigint }): Promise<void>
  /** Outdates all checks. Never throws. */
  raiseDeleted(server: { storeId: string; id: string }): Promise<void>
}

/** Much longer than a gateway uses a cached check. */
const lifetimeMs = 600_000

/** Greater than any version. */
const deletedEpoch = 2n ** 52n

/** Only raises the epoch: of two changes the later one wins, in any order of arrival. */
const raiseScript = defineScript(`
  local known = tonumber(redis.call('GET', KEYS[1]))
  if not known or tonumber(ARGV[1]) > known then
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  end
  return 1
`)
