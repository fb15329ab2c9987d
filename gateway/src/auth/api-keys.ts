import { hash } from 'node:crypto'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { decodeSecret } from '@storekeep/common/crypto'
import { errors, ServiceFault } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import type { Redis } from '@storekeep/common/redis'
import { apiKeyPrefix, apiKeyRevokedChannel } from '@storekeep/proto/conventions/api-key'
import { BoundedMap } from '../bounded-map.ts'
import type { Counter } from '../metrics.ts'
import type { Clients } from '../services.ts'

/**
 * Checks API keys with the stores service and remembers the answers for some seconds.
 *
 * A revocation is heard over Redis and drops what is remembered at once; a check that was under way at that moment is
 * neither remembered nor shared with later requests, since it may have read the time before. Messages can be missed:
 * then the time limit bounds how long a revoked key lives. A refusal is remembered as well: the text of a key is
 * random, so a text that is unknown now stays unknown. It is remembered apart, so that made-up keys displace no other.
 */
export function createApiKeys({ stores, redis, cacheMs, checks, now }: ApiKeyDependencies): ApiKeys {
  const accepted = new BoundedMap<string, Accepted>(10_000)
  const refusedUntil = new BoundedMap<string, number>(10_000)
  const underWay = new Map<string, Promise<ApiKey>>()
  let revocations = 0

  redis.subscribe(apiKeyRevokedChannel, forget, forget)

  function forget(): void {
    revocations += 1
    accepted.clear()
    underWay.clear()
  }

  async function ask(key: string, digest: string, options: CallOptions): Promise<ApiKey> {
    const startedAt = now()
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
      if (error instanceof ServiceFault && error.code === 'unauthorized') {
        refusedUntil.set(digest, startedAt + cacheMs)
        checks.inc({ outcome: 'refused' })
        throw errors.unauthorized()
      }
      checks.inc({ outcome: 'unavailable' })
      throw error
    } finally {
      if (revocations === revocationsBefore) underWay.delete(digest)
    }
  }

  return {
    async check(key, options, mayAsk) {
      const digest = hash('sha256', key, 'base64url')
      const known = accepted.get(digest)
      if (known && known.until > now()) {
        checks.inc({ outcome: 'cache_hit' })
        return requireLive(known.apiKey, now())
      }
      if ((refusedUntil.get(digest) ?? 0) > now()) {
        checks.inc({ outcome: 'cache_hit' })
        throw errors.unauthorized()
      }
      if (decodeSecret(apiKeyPrefix, key) === undefined) {
        checks.inc({ outcome: 'malformed' })
        throw errors.unauthorized()
      }
      mayAsk()
      // Shared by all who ask meanwhile, so the first of them hanging up must not cancel it.
      const asking = underWay.get(digest) ?? ask(key, digest, { ...options, signal: undefined })
      underWay.set(digest, asking)
      return requireLive(await asking, now())
    },
  }
}

export interface ApiKeys {
  /**
   * @param mayAsk throws when nobody may be asked about a key that is not remembered
   * @throws ServiceFault `unauthorized`, or `service-unavailable` when it cannot be told
   */
  check(key: string, options: CallOptions, mayAsk: () => void): Promise<ApiKey>
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
  redis: Pick<Redis, 'subscribe'>
  cacheMs: number
  checks: Counter
  now: () => number
}

interface Accepted {
  apiKey: ApiKey
  until: number
}

function requireLive(apiKey: ApiKey, now: number): ApiKey {
  if (apiKey.expiresAt <= now) throw errors.unauthorized()
  return apiKey
}
