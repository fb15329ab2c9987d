import { errors } from '@storekeep/common/errors'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestStore, useGateway } from './harness.ts'
import { newApiKey } from './ids.ts'

const gateway = useGateway({ REQUEST_TIMEOUT_MS: '6000' })
beforeEach(() => gateway.clock.stop())
afterEach(() => void vi.useRealTimers())

function checks(): number {
  return gateway.services.calls.filter(({ name }) => name === 'verifyApiKey').length
}

async function statusOf(store: TestStore): Promise<number> {
  return (await store.send('GET', '/customers')).status
}

/** @returns a function that accepts the key; call it once the gateway's check is in flight or imminent */
function delayVerification(store: TestStore): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  gateway.services.overrides.verifyApiKey = async () => {
    await promise
    return { keyId: store.keyId, storeId: store.id, scopes: ['customers:read'] }
  }
  return async () => {
    await expect.poll(checks).toBeGreaterThan(0)
    resolve()
  }
}

describe('an API key', () => {
  it('is verified once in five seconds', async () => {
    const store = gateway.newStore()
    for (let n = 0; n < 5; n += 1) expect(await statusOf(store)).toBe(200)
    expect(checks()).toBe(1)
    gateway.clock.ahead = 4_000
    await statusOf(store)
    expect(checks()).toBe(1)
    gateway.clock.ahead = 5_100
    await statusOf(store)
    expect(checks()).toBe(2)
  })

  it('is verified once for many concurrent requests', async () => {
    const store = gateway.newStore()
    const finish = delayVerification(store)
    const statuses = Promise.all(Array.from({ length: 20 }, () => statusOf(store)))
    await finish()
    expect(new Set(await statuses)).toEqual(new Set([200]))
    expect(checks()).toBe(1)
  })

  it('is verified for the other requests when the first one disconnects', async () => {
    const store = gateway.newStore()
    const hangUp = new AbortController()
    const finish = delayVerification(store)
    const first = store.send('GET', '/customers', { signal: hangUp.signal })
    await expect.poll(checks).toBe(1)
    const second = statusOf(store)
    hangUp.abort()
    await expect(first).rejects.toThrow()
    await finish()
    expect(await second).toBe(200)
  })

  it('is rejected as soon as its revocation arrives', async () => {
    const store = gateway.newStore()
    expect(await statusOf(store)).toBe(200)
    gateway.services.apiKeys.delete(store.apiKey)
    expect(await statusOf(store)).toBe(200)
    await gateway.announceRevocation(store.keyId)
    expect(await statusOf(store)).toBe(401)
  })

  it('is not cached by a check that began before the revocation', async () => {
    const store = gateway.newStore()
    const finish = delayVerification(store)
    const overtaken = statusOf(store)
    await expect.poll(checks).toBe(1)
    await gateway.announceRevocation(store.keyId)
    gateway.services.overrides.verifyApiKey = () => Promise.reject(errors.unauthorized())
    const after = statusOf(store)
    await finish()
    expect(await overtaken).toBe(200)
    expect(await after).toBe(401)
    expect(await statusOf(store)).toBe(401)
  })

  it('is rejected once it expires, cached or not', async () => {
    const store = gateway.newStore()
    const expiresAt = new Date(Date.now() + 3_600_000)
    gateway.services.apiKeys.set(store.apiKey, {
      keyId: store.keyId,
      storeId: store.id,
      scopes: ['customers:read'],
      expiresAt,
    })
    expect(await statusOf(store)).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: expiresAt })
    expect(await statusOf(store)).toBe(401)
    expect(checks()).toBe(1)
  })

  it('keeps working from the cache without the stores service; an uncached key gets 503, never 401', async () => {
    const store = gateway.newStore()
    expect(await statusOf(store)).toBe(200)
    gateway.services.overrides.verifyApiKey = () => Promise.reject(errors.unavailable())
    expect(await statusOf(store)).toBe(200)
    const stranger = await gateway.newStore().send('GET', '/customers')
    expect(stranger.body).toMatchObject({ status: 503, code: 'service-unavailable' })
    expect(stranger.headers['retry-after']).toBe('1')
    gateway.clock.ahead = 5_100
    expect(await statusOf(store)).toBe(503)
  })

  it('gets 503 when its check exceeds the credential timeout', async () => {
    gateway.services.overrides.verifyApiKey = (_request, call) => {
      expect(call.remainingMs()).toBeLessThanOrEqual(2000)
      return new Promise(() => {})
    }
    expect(await statusOf(gateway.newStore())).toBe(503)
  })

  it('is verified once while it is rejected', async () => {
    const store = gateway.newStore()
    gateway.services.apiKeys.delete(store.apiKey)
    for (let n = 0; n < 3; n += 1) expect(await statusOf(store)).toBe(401)
    expect(checks()).toBe(1)
  })

  it.each(['nonsense', newApiKey().slice(0, -1), newApiKey().replace('skapi', 'skcus'), ''])(
    'is rejected without a call when malformed: "%s"',
    async (key) => {
      const response = await gateway
        .newStore()
        .send('GET', '/customers', { headers: { authorization: `APIKey ${key}` } })
      expect(response.status).toBe(401)
      expect(checks()).toBe(0)
    },
  )

  it.each(['apikey', 'APIKEY', 'ApiKey'])('is accepted with the scheme %s', async (scheme) => {
    const store = gateway.newStore()
    const headers = { authorization: `${scheme} ${store.apiKey}` }
    expect((await store.send('GET', '/customers', { headers })).status).toBe(200)
  })
})
