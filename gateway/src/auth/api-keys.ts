import { hash } from 'node:crypto'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Clock } from '@storekeep/common/clock'
import { decodeSecretOfCell } from '@storekeep/common/crypto'
import { errors, isFault } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import { BoundedMap } from '@storekeep/common/http'
import type { Redis } from '@storekeep/common/redis'
import type { Counter } from '@storekeep/common/telemetry'
import { apiKeyPrefix, apiKeyRevokedChannel } from '@storekeep/proto/conventions/api-key'
import type { Clients } from '../services.ts'

/**
 * Verifies API keys with the stores service and caches the results for a few seconds.
 *
 * A revocation arrives over Redis and clears the cache immediately. A check that was in flight at that moment is neither
 * cached nor shared with later requests, since it may have read the state before the revocation. A revocation message
 * can be lost; the cache time then bounds how long a revoked key stays valid. Rejections are cached too: keys are
 * random, so an unknown key stays unknown. They have a separate cache, so that generated keys evict no valid key.
 */
export function createApiKeys({ stores, cells, redis, cacheMs, checks, clock }: ApiKeyDependencies): ApiKeys {
  const accepted = new BoundedMap<string, Accepted>(10_000)
  const rejectedUntil = new BoundedMap<string, number>(10_000)
  const inFlight = new Map<string, Promise<ApiKey>>()
  let revocations = 0

  redis.subscribe(apiKeyRevokedChannel, clear, clear)

  function clear(): void {
    revocations += 1
    accepted.clear()
    inFlight.clear()
  }

  async function verify(key: string, digest: string, options: CallOptions): Promise<ApiKey> {
    const startedAt = clock.monotonicMs()
    const revocationsBefore = revocations
    try {
      const { keyId, storeId, scopes, expiresAt } = await stores.verifyApiKey({ key }, options)
      const apiKey: ApiKey = {
        id: keyId,
        storeId,
        scopes: new Set(scopes),
        expiresAt: expiresAt ? timestampDate(expiresAt).getTime() : Number.POSITIVE_INFINITY,
      }
      if (revocations === revocationsBefore) accepted.set(digest, { apiKey, until: startedAt + cacheMs })
      checks.inc({ outcome: 'accepted' })
      return apiKey
    } catch (error) {
      if (isFault(error, 'unauthorized')) {
        rejectedUntil.set(digest, startedAt + cacheMs)
        checks.inc({ outcome: 'rejected' })
        throw errors.unauthorized()
      }
      checks.inc({ outcome: 'unavailable' })
      throw error
    } finally {
      if (revocations === revocationsBefore) inFlight.delete(digest)
    }
  }

  return {
    async check(key, options, beforeCall) {
      const digest = hash('sha256', key, 'base64url')
      const known = accepted.get(digest)
      if (known && known.until > clock.monotonicMs()) {
        checks.inc({ outcome: 'cache_hit' })
        return assertNotExpired(known.apiKey, clock.now())
      }
      if ((rejectedUntil.get(digest) ?? 0) > clock.monotonicMs()) {
        checks.inc({ outcome: 'cache_hit' })
        throw errors.unauthorized()
      }
      const decoded = decodeSecretOfCell(apiKeyPrefix, key)
      if (decoded === undefined || !cells.has(decoded.cell)) {
        checks.inc({ outcome: decoded ? 'unknown' : 'malformed' })
        throw errors.unauthorized()
      }
      beforeCall()
      // Shared by concurrent requests, so the first one disconnecting must not cancel it.
      const verification =
        inFlight.get(digest) ?? verify(key, digest, { ...options, cell: decoded.cell, signal: undefined })
      inFlight.set(digest, verification)
      return assertNotExpired(await verification, clock.now())
    },
  }
}

export interface ApiKeys {
  /**
   * @param beforeCall runs before the stores service is called; throws to prevent the call
   * @throws ServiceFault `unauthorized`, or `service-unavailable` when the key cannot be verified now
   */
  check(key: string, options: CallOptions, beforeCall: () => void): Promise<ApiKey>
}

export interface ApiKey {
  id: string
  storeId: string
  scopes: ReadonlySet<string>
  /** Milliseconds since 1970. */
  expiresAt: number
}

interface ApiKeyDependencies {
  stores: Pick<Clients['stores'], 'verifyApiKey'>
  /** The cells whose keys can be valid. */
  cells: { has(cell: number): boolean }
  redis: Pick<Redis, 'subscribe'>
  cacheMs: number
  checks: Counter
  clock: Clock
}

interface Accepted {
  apiKey: ApiKey
  /** Monotonic time. */
  until: number
}

function assertNotExpired(apiKey: ApiKey, now: Date): ApiKey {
  if (apiKey.expiresAt <= now.getTime()) throw errors.unauthorized()
  return apiKey
}
