import { encodeSecret } from '@storekeep/common/crypto'
import { errors } from '@storekeep/common/errors'
import { describe, expect, it } from 'vitest'
import { type TestStore, useGateway } from './harness.ts'
import { newId, newToken } from './ids.ts'

const gateway = useGateway({ REQUEST_TIMEOUT_MS: '6000' })

async function whoAmI(store: TestStore, token: string): Promise<number> {
  return (await store.shop('GET', '/customer', { headers: { authorization: `Customer ${token}` } })).status
}

function checks(): number {
  return gateway.services.calls.filter(({ name }) => name === 'verifyToken').length
}

describe('a customer token', () => {
  it('is verified by the customers service on every request', async () => {
    const store = gateway.newStore()
    const { token } = store.signIn()
    expect(await whoAmI(store, token)).toBe(200)
    expect(await whoAmI(store, token)).toBe(200)
    gateway.services.tokens.delete(token)
    expect(await whoAmI(store, token)).toBe(401)
    expect(checks()).toBe(3)
  })

  it('is rejected without a call when malformed', async () => {
    const store = gateway.newStore()
    const { token } = store.signIn()
    const wrong = [
      token.slice(0, -1),
      `${token}x`,
      token.toLowerCase(),
      token.replace('skcus', 'skapi'),
      encodeSecret('skcus', Buffer.from('short')),
      encodeSecret('skcus', Buffer.alloc(100, 0xff)),
      `skcus_${'A'.repeat(5000)}`,
    ]
    for (const text of wrong) expect(await whoAmI(store, text), text.slice(0, 200)).toBe(401)
    expect(checks()).toBe(0)
  })

  it.each(['customer', 'store'])(
    'is rejected without a call when older than the minimum epoch of the %s in Redis',
    async (level) => {
      const store = gateway.newStore()
      const customerId = newId()
      const [old, current] = [2, 3].map((epoch) => {
        const token = newToken({ storeId: store.id, customerId, [`${level}Epoch`]: epoch })
        gateway.services.tokens.set(token, { storeId: store.id, customerId })
        return token
      })
      const key = level === 'store' ? `epoch:${store.id}` : `epoch:${store.id}:${customerId}`
      await gateway.redis.set(key, '3', 60_000)
      expect(await whoAmI(store, old ?? '')).toBe(401)
      expect(checks()).toBe(0)
      expect(await whoAmI(store, current ?? '')).toBe(200)
    },
  )

  it('is not rejected because of a malformed value in Redis', async () => {
    const store = gateway.newStore()
    const { token, customerId } = store.signIn()
    await gateway.redis.set(`epoch:${store.id}:${customerId}`, 'nonsense', 60_000)
    expect(await whoAmI(store, token)).toBe(200)
  })

  it('gets 503, never 401 or 403, when it cannot be verified', async () => {
    const store = gateway.newStore()
    const { token } = store.signIn()
    gateway.services.overrides.verifyToken = () => Promise.reject(errors.unavailable())
    expect(await whoAmI(store, token)).toBe(503)
    gateway.services.overrides.verifyToken = (_request, call) => {
      expect(call.remainingMs()).toBeLessThanOrEqual(2000)
      return new Promise<never>(() => {})
    }
    expect(await whoAmI(store, token)).toBe(503)
  })
})
