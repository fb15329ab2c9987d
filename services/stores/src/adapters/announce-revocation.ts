import type { Logger } from '@storekeep/common/log'
import { createRedisFallbacks, type Redis } from '@storekeep/common/redis'
import type { Metrics } from '@storekeep/common/telemetry'
import { apiKeyRevokedChannel } from '@storekeep/proto/conventions/api-key'

/**
 * Notifies gateways of a revoked key, so they drop it from their caches immediately. Waits no longer than the Redis command
 * timeout (50 ms). Without Redis the revocation takes effect when the caches expire, within 5 s.
 */
export function announceRevocation({ redis, log, metrics }: Dependencies): (id: string) => Promise<void> {
  const fallbacks = createRedisFallbacks(metrics, ['api-key-revocation'])
  return async (id) => {
    try {
      await redis.publish(apiKeyRevokedChannel, id)
    } catch (error) {
      fallbacks.inc({ use: 'api-key-revocation' })
      log.warn({ err: error, api_key_id: id }, 'api key revocation publishing failed: caches expire within 5 s')
    }
  }
}

interface Dependencies {
  redis: Redis
  log: Logger
  metrics: Metrics
}
