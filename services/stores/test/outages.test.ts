import { createLogger } from '@storekeep/common/log'
import { createRedis } from '@storekeep/common/redis'
import { faultOf, isPublished, operator, useServerProxies } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestStore, useStores } from './harness.ts'

const servers = useServerProxies()
const stores = useStores(servers.between)

async function aKey() {
  const { id: storeId } = await createTestStore(stores)
  const { key, apiKey } = await stores.client.createApiKey({ storeId, name: 'x' }, operator())
  return { key, id: apiKey?.id ?? '' }
}

function listen() {
  const { keyPrefix } = stores.config.redis
  const log = createLogger({ service: 'test', level: 'silent' })
  const listener = createRedis({ url: process.env.TEST_REDIS_URL ?? '', keyPrefix, log })
  const heard: string[] = []
  listener.subscribe('api-key-revoked', (message) => heard.push(message))
  return { heard, close: () => listener.close() }
}

describe('a revocation', () => {
  it('is announced to gateways, again when repeated', async () => {
    const { heard, close } = listen()
    const { id } = await aKey()
    // The subscription may start late, so the revocation is repeated until the listener receives it.
    await expect
      .poll(async () => {
        await stores.client.revokeApiKey({ apiKeyId: id }, operator())
        return heard.length
      })
      .toBeGreaterThan(1)
    expect(new Set(heard)).toEqual(new Set([id]))
    await close()
  })

  it.each(['cut', 'stall'] as const)('does not wait for an unavailable Redis (%s)', async (how) => {
    const { key, id } = await aKey()
    servers.redis[how]()
    const started = performance.now()
    await stores.client.revokeApiKey({ apiKeyId: id }, operator())
    expect(performance.now() - started).toBeLessThan(20_000)
    expect(await faultOf(stores.client.verifyApiKey({ key }, operator()))).toMatchObject({ code: 'unauthorized' })
    expect(
      stores.logLines.some((line) => line.includes('api key revocation publishing failed') && line.includes(id)),
    ).toBe(true)
  })
})

describe('without NATS', () => {
  it('calls succeed and events are published once it is back', async () => {
    servers.nats.cut()
    const { key, id } = await aKey()
    await stores.client.verifyApiKey({ key }, operator())
    expect(await isPublished(stores, id)).toBe(false)
    servers.nats.pass()
    await expect.poll(() => isPublished(stores, id)).toBe(true)
  })
})

describe('without Postgres', () => {
  it('valid keys are not rejected, and work once it is back', async () => {
    const { key } = await aKey()
    servers.postgres.cut()
    for (let calls = 0; calls < 10; calls += 1) {
      const fault = await faultOf(stores.client.verifyApiKey({ key }, operator()))
      expect(fault).toMatchObject({ code: 'service-unavailable', retryAfterSeconds: expect.any(Number) })
    }
    expect(await faultOf(createTestStore(stores))).toMatchObject({ code: 'service-unavailable' })
    // Malformed keys are still rejected, without the database.
    const mistyped = stores.client.verifyApiKey({ key: `${key}x` }, operator())
    expect(await faultOf(mistyped)).toMatchObject({ code: 'unauthorized' })
    servers.postgres.pass()
    await expect
      .poll(() =>
        stores.client.verifyApiKey({ key }, operator()).then(
          () => 'ok',
          () => 'rejected',
        ),
      )
      .toBe('ok')
  })

  it('the service is not ready until it is back', async () => {
    const readyz = async () => (await fetch(`http://127.0.0.1:${stores.running.metricsPort}/readyz`)).status
    await expect.poll(readyz).toBe(200)
    servers.postgres.cut()
    await expect.poll(readyz).toBe(503)
    servers.postgres.pass()
    await expect.poll(readyz).toBe(200)
  })
})
