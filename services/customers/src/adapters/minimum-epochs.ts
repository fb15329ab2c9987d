import type { Logger } from '@storekeep/common/log'
import { createRedisFallbacks, defineScript, type Redis } from '@storekeep/common/redis'
import type { Metrics } from '@storekeep/common/telemetry'
import { customerEpochKey, storeEpochKey } from '@storekeep/proto/conventions/customer-token'

/**
 * The copy in Redis of the lowest epochs that tokens may have. Gateways refuse by it without asking us; that a token
 * is good they always ask (decision 0001). A failed write is logged and costs nothing but that head start.
 */
export function createMinimumEpochs({ redis, log, metrics }: Dependencies): MinimumEpochs {
  const fallbacks = createRedisFallbacks(metrics, ['revocation'])

  async function raise(key: string, epoch: number): Promise<void> {
    try {
      await redis.run(raiseScript, [key], [epoch, lifetimeMs])
    } catch (error) {
      fallbacks.inc({ use: 'revocation' })
      log.warn({ err: error }, 'a revocation did not reach Redis; gateways will ask about each token')
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
  /** Takes at most the command time-out of Redis. Never throws. */
  raiseCustomer(storeId: string, customerId: string, epoch: number): Promise<void>
  raiseStore(storeId: string, epoch: number): Promise<void>
}

/** Longer than any token of a lower epoch lives. */
const lifetimeMs = 31 * 24 * 3600 * 1000

/** Only ever raises: of two revocations the later one counts, whichever arrives first. */
const raiseScript = defineScript(`
  local known = tonumber(redis.call('GET', KEYS[1]))
  if not known or tonumber(ARGV[1]) > known then
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  end
  return 1
`)
