import type { Redis } from '@storekeep/common/redis'
import type { Counter } from '@storekeep/common/telemetry'
import { customerEpochKey, storeEpochKey } from '@storekeep/proto/conventions/customer-token'
import type { TokenClaims } from '@storekeep/proto/customers/v1/token'

/**
 * Checks tokens against the minimum epochs in Redis. Redis may only reject: after a missing value or during an
 * outage, the customers service verifies the token.
 */
export function createTokenEpochs({
  redis,
  fallbacks,
}: {
  redis: Pick<Redis, 'getAll'>
  fallbacks: Counter
}): TokenEpochs {
  return {
    async isRevoked({ storeId, customerId, storeEpoch, customerEpoch }) {
      try {
        const keys = [customerEpochKey(storeId, customerId), storeEpochKey(storeId)]
        const [customer = null, store = null] = await redis.getAll(keys)
        return isBelow(customerEpoch, customer) || isBelow(storeEpoch, store)
      } catch {
        fallbacks.inc({ use: 'token-epochs' })
        return false
      }
    },
  }
}

export interface TokenEpochs {
  isRevoked(claims: TokenClaims): Promise<boolean>
}

function isBelow(epoch: number, minimum: string | null): boolean {
  return minimum !== null && /^\d{1,10}$/.test(minimum) && epoch < Number(minimum)
}
