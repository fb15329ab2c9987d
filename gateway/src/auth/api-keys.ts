import { hash } from 'node:crypto'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { decodeSecret } from '@storekeep/common/crypto'
import { errors, ServiceFault } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import type { Redis } from '@storekeep/common/redis'
import type { StoresClient } from '../clients/stores.ts'
import type { Counter } from '../metrics.ts'

/**
 * Checks API keys with the stores service and remembers the answers for some seconds.
 *
 * A revocation is heard over Redis and drops what is remembered at once; a check that was under way at that moment is
 * neither remembered nor shared with later requests, since it may have read the time before. Messages can be missed:
 * then the time limit bounds how long a revoked key lives. A refusal is remembered as well: the text of a key is
 * random, so a text that is unknown now stays unknown.
 */
export function createApiKeys({ stores, redis, cacheMs, checks, now }: ApiKeyDependencies): ApiKeys {
  const remembered = new Map<string, Remembered>()
  const underWay = new Map<string, Promise<ApiKey>>()
  let revocations = 0

  redis.subscribe('api-key-revoked', forget, forget)

  function forget(): void {
    revocations += 1
    remembered.clear()
    underWay.clear()
  }

  async function ask(key: string, digest: string, options: CallOptions): Promise<ApiKey> {
    const startedAt = now()
    const revocationsBefore = revocations
    const remember = (apiKey: ApiKey | undefined) => {
      if (revocations !== revocationsBefore || cacheMs === 0) return
      if (remembered.size >= maxRemembered) remembered.clear()
      remembered.set(digest, { apiKey, until: startedAt + cacheMs })
    }
    try {
      const { keyId, storeId, scopes, expiresAt } = await stores.verifyApiKey({ key }, options)
      const apiKey: ApiKey = {
        id: keyId,
        storeId,
        scopes: new Set(scopes),
        expiresAt: expiresAt ? timestampDate(expiresAt).getTime() : Number.POSITIVE_INFINITY,
      }
      remember(apiKey)
      checks.inc({ outcome: 'accepted' })
      return apiKey
    } catch (error) {
      if (error instanceof ServiceFault && error.code === 'unauthorized') {
        remember(undefined)
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
    async check(key, options) {
      const digest = hash('sha256', key, 'base64url')
      const known = remembered.get(digest)
      if (known && known.until > now()) {
        checks.inc({ outcome: 'remembered' })
        return requireLive(known.apiKey, now())
      }
      if (decodeSecret('skapi', key) === undefined) {
        checks.inc({ outcome: 'malformed' })
        throw errors.unauthorized()
      }
      // Shared by all who ask meanwhile, so the first of them hanging up must not cancel it.
      const asking = underWay.get(digest) ?? ask(key, digest, { ...options, signal: undefined })
      underWay.set(digest, asking)
      return requireLive(await asking, now())
    },
  }
}

export interface ApiKeys {
  /** @throws ServiceFault `unauthorized`, or `service-unavailable` when it cannot be told */
  check(key: string, options: CallOptions): Promise<ApiKey>
}

export interface ApiKey {
  id: string
  storeId: string
  scopes: ReadonlySet<string>
  /** Milliseconds since 1970. */
  expiresAt: number
}

interface ApiKeyDependencies {
  stores: Pick<StoresClient, 'verifyApiKey'>
  redis: Pick<Redis, 'subscribe'>
  cacheMs: number
  checks: Counter
  now: () => number
}

interface Remembered {
  /** Undefined: refused. */
  apiKey: ApiKey | undefined
  until: number
}

const maxRemembered = 10_000

function requireLive(apiKey: ApiKey | undefined, now: number): ApiKey {
  if (!apiKey || apiKey.expiresAt <= now) throw errors.unauthorized()
  return apiKey
}
