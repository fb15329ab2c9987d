import type { Logger } from '@storekeep/common/log'
import type { Redis } from '@storekeep/common/redis'
import { apiKeyRevokedChannel } from '@storekeep/proto/agreements/api-key'

/**
 * Tells the gateways that a key was revoked, so that they drop it from their caches at once. Waits no longer than a
 * Redis command may take (50 ms); without Redis it takes effect when their caches expire, within 5 s.
 */
export function announceRevocation({ redis, log }: { redis: Redis; log: Logger }): (id: string) => Promise<void> {
  return async (id) => {
    try {
      await redis.publish(apiKeyRevokedChannel, id)
    } catch (error) {
      log.warn({ err: error, api_key_id: id }, 'the gateways were not told that an API key was revoked')
    }
  }
}
