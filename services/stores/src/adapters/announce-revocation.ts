import type { Logger } from '@storekeep/common/log'
import { createRedisFallbacks, type Redis } from '@storekeep/common/redis'
import type { Metrics } from '@storekeep/common/telemetry'
import { apiKeyRevokedChannel } from '@storekeep/proto/conventions/api-key'

/**
 * Tells the gateways that a key was revoked, so that they drop it from their caches at once. Waits no longer than a
 * Redis command may take (50 ms); without Redis it takes effect when their caches expire, within 5 s.
 */
export function announceRevocation({ redis, log, metrics }: Dependencies): (id: string) => Promise<void> {
  const fallbacks = createRedisFallbacks(metrics, ['api-key-revocation'])
  return async (id) => {
    try {
      await redis.publish(apiKeyRevokedChannel, id)
    } catch (error) {
      fallbacks.inc({ use: 'api-key-revocation' })
      log.warn({ err: error, api_key_id: id }, 'the gateways were not told that an API key was revoked')
    }
  }
}

interface Dependencies {
  redis: Redis
  log: Logger
  metrics: Metrics
}
