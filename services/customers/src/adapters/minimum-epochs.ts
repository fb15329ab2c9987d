import type { Logger } from '@storekeep/common/log'
import { createRedisFallbacks, defineScript, type Redis } from '@storekeep/common/redis'
import type { Metrics } from '@storekeep/common/telemetry'
import { customerEpochKey, storeEpochKey } from '@storekeep/proto/conventions/customer-token'

/**
 * Copies the minimum token epochs to Redis. Gateways use them only to reject tokens early; accepting a token always
 * takes a VerifyToken call (decision 0001). So a failed write is logged and otherwise harmless.
 */
export function createMinimumEpochs({ redis, log, metrics }: Dependencies): MinimumEpochs {
  const fallbacks = createRedisFallbacks(metrics, ['revocation'])

  async function raise(key: string, epoch: number): Promise<void> {
    try {
      await redis.run(raiseScript, [key], [epoch, lifetimeMs])
    } catch (error) {
      fallbacks.inc({ use: 'revocation' })
      log.warn({ err: error }, 'redis write of a token revocation failed: gateways verify each token')
    }
  }

  return {
    raiseCustomer: (storeId, customerId, epoch) => raise(customerEpochKey(storeId, customerId), epoch),
    raiseStore: (storeId, epoch) => raise(storeEpochKey(storeId), epoch),
  }
}

interface Dependencies {
  redis: Redis
  log: Logger
  metrics: Metrics
}

export interface MinimumEpochs {
  /** Takes no longer than the Redis command timeout. Never throws. */
  raiseCustomer(storeId: string, customerId: string, epoch: number): Promise<void>
  raiseStore(storeId: string, epoch: number): Promise<void>
}

/** Longer than the lifetime of any token. */
const lifetimeMs = 31 * 24 * 3600 * 1000

/** Only raises the epoch: of two revocations the later one wins, in any order of arrival. */
const raiseScript = defineScript(`
  local known = tonumber(redis.call('GET', KEYS[1]))
  if not known or tonumber(ARGV[1]) > known then
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  end
  return 1
`)
