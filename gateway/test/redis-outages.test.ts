import { requireEnv } from '@storekeep/common/testing'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { useGateway } from './harness.ts'
import { createRedisGate } from './redis-gate.ts'

const gate = await createRedisGate(requireEnv('TEST_REDIS_URL'))
const gateway = useGateway({ REDIS_URL: gate.url, RATE_LIMIT_API_KEY_PER_MINUTE: '5' }, { commandTimeoutMs: 50 })
afterEach(() => {
  gate.set('open')
  vi.useRealTimers()
})
afterAll(() => gate.close())

async function sendMany(count: number, send: () => Promise<{ status: number }>): Promise<number[]> {
  const responses = await Promise.all(Array.from({ length: count }, send))
  return responses.map(({ status }) => status)
}

it('a revoked API key is rejected after five seconds while Redis is stopped, even if the wall clock jumps', async () => {
  gate.set('stopped')
  gateway.clock.stop()
  for (const jumpMs of [-3_600_000, 3_600_000]) {
    const store = gateway.newStore()
    const statusOf = async () => (await store.send('GET', '/customers')).status
    expect(await statusOf()).toBe(200)
    gateway.services.apiKeys.delete(store.apiKey)
    await gateway.redis.publish('api-key-revoked', store.keyId)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + jumpMs })
    expect(await statusOf()).toBe(200)
    gateway.clock.ahead += 5_001
    expect(await statusOf()).toBe(401)
    vi.useRealTimers()
  }
})

describe.each(['cut', 'stopped'] as const)('while Redis is %s', (state) => {
  it('each process grants exactly its share of the quota', async () => {
    const store = gateway.newStore()
    gate.set(state)
    const statuses = await sendMany(20, () => store.send('GET', '/customers'))
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    const metrics = await gateway.request('GET', '/metrics')
    expect(metrics.text).toMatch(
      /redis_fallbacks_total\{use="rate-limit",application="storekeep",service="gateway"\} [1-9]/,
    )
  })

  it('tokens are accepted and rejected as usual', async () => {
    const store = gateway.newStore()
    const { authorization } = store.signIn()
    gate.set(state)
    const statuses = await sendMany(20, () => store.shop('GET', '/customer', { headers: { authorization } }))
    expect(new Set(statuses)).toEqual(new Set([200]))
    const unknown = gateway.newStore().signIn()
    gateway.services.tokens.clear()
    const rejected = await store.shop('GET', '/customer', { headers: { authorization: unknown.authorization } })
    expect(rejected.status).toBe(401)
  })
})
