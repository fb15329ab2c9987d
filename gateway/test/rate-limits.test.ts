import { errors } from '@storekeep/common/errors'
import { defineScript } from '@storekeep/common/redis'
import { describe, expect, it, vi } from 'vitest'
import { slidingWindowScript } from '../src/limits/sliding-window-script.ts'
import { type TestStore, useGateway } from './harness.ts'
import type { HttpResponse } from './http-client.ts'
import { newApiKey, newId, newToken } from './ids.ts'

const gateway = useGateway({
  TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.0/8',
  MAX_CONNECTIONS_PER_ADDRESS: '20',
  // Generous for a busy machine: a script that takes longer would not count, or count twice.
  REDIS_TIMEOUT_MS: '2000',
  RATE_LIMIT_API_KEY_PER_MINUTE: '5',
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '3',
  RATE_LIMIT_UNKNOWN_STORE_PER_MINUTE: '4',
  RATE_LIMIT_SIGN_IN_ADDRESS_PER_MINUTE: '4',
  RATE_LIMIT_SIGN_IN_NAME_PER_MINUTE: '3',
  RATE_LIMIT_SIGN_IN_STORE_PER_MINUTE: '6',
})

async function sendMany(count: number, send: () => Promise<{ status: number }>): Promise<number[]> {
  const responses = await Promise.all(Array.from({ length: count }, send))
  return responses.map(({ status }) => status)
}

const allowed = (statuses: number[]) => statuses.filter((status) => status === 200).length

/** Moves all slots of a window an hour ahead, as if the clock of Redis had gone back by an hour. */
const anHourLater = defineScript(`
local fields = redis.call('HGETALL', KEYS[1])
redis.call('DEL', KEYS[1])
for f = 1, #fields, 2 do redis.call('HSET', KEYS[1], fields[f] + 3600, fields[f + 1]) end
return 0
`)

let next = 0
const newAddress = () => `203.0.${Math.floor(++next / 250)}.${(next % 250) + 1}`

describe('the limit per API key', () => {
  it.each([
    ['GET', undefined],
    ['POST', { name: 'a' }],
  ])('grants %s exactly the quota under concurrency', async (method, json) => {
    const store = gateway.newStore()
    const statuses = await sendMany(20, () => store.send(method, '/customers', { json }))
    expect(allowed(statuses)).toBe(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(15)
    const writes = gateway.services.calls.filter(({ name }) => name === 'createCustomer')
    expect(writes).toHaveLength(method === 'POST' ? 5 : 0)
  })

  it('does not count requests from after the current time, which exist once the clock of Redis has gone back', async () => {
    const take = () => gateway.redis.run(slidingWindowScript, ['limit:test'], [200, 1, 60_000, 0, 0, 0, 1, 0, 1, 1])
    expect([await take(), await take()]).toEqual([
      [1, 1, 1, expect.any(Number), expect.any(Number)],
      [0, 0, 1, expect.any(Number), expect.any(Number)],
    ])
    await gateway.redis.run(anHourLater, ['limit:test'], [])
    expect(await take()).toEqual([1, 1, 1, expect.any(Number), expect.any(Number)])
  })

  it('reports the remaining requests and when to retry', async () => {
    const store = gateway.newStore()
    const first = await store.send('GET', '/customers')
    expect(first.headers['ratelimit-policy']).toBe('"api-key";q=5;w=60')
    expect(first.headers.ratelimit).toMatch(/^"api-key";r=4;t=6[01]$/)
    await sendMany(4, () => store.send('GET', '/customers'))
    const rejected = await store.send('GET', '/customers')
    expect(rejected.body).toMatchObject({ status: 429, code: 'too-many-requests' })
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(55)
    expect(Number(rejected.headers['retry-after'])).toBeLessThanOrEqual(61)
    expect(rejected.headers.ratelimit).toMatch(/^"api-key";r=0;t=/)
  })

  it('counts each key separately, including failed requests', async () => {
    const store = gateway.newStore()
    const other = gateway.newStore()
    expect(await sendMany(5, () => store.send('GET', '/customers?limit=0'))).toEqual(Array(5).fill(400))
    expect((await store.send('GET', '/customers')).status).toBe(429)
    expect((await other.send('GET', '/customers')).status).toBe(200)
  })

  it('takes precedence over the error of a read and is reported with it', async () => {
    const store = gateway.newStore()
    for (let n = 1; n <= 5; n += 1) {
      const failed = await store.send('GET', '/customers?limit=0')
      expect(failed.status).toBe(400)
      expect(failed.headers.ratelimit).toMatch(new RegExp(`^"api-key";r=${5 - n};t=`))
    }
    const rejected = await store.send('GET', '/customers?limit=0')
    expect(rejected.body).toMatchObject({ status: 429, code: 'too-many-requests' })
    expect(rejected.headers.ratelimit).toMatch(/^"api-key";r=0;t=/)
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0)
  })

  it.each(['GET', 'POST'])('counts a rejected %s', async (method) => {
    const store = gateway.newStore(['bans:read'])
    expect(await sendMany(5, () => store.send(method, '/customers', {}))).toEqual(Array(5).fill(403))
    expect((await store.send('GET', '/bans')).status).toBe(429)
  })
})

describe('a direct sign-in', () => {
  const signIn = (store: TestStore, name: string, forwardedFor: string) =>
    store.shop('POST', '/customer/auth', {
      json: { platform: 'minecraft', id: name },
      headers: { 'x-forwarded-for': forwardedFor },
    })
  const newName = () => `Name_${++next}`

  it('is limited by the address behind the trusted proxies', async () => {
    const address = newAddress()
    const attempt = () => signIn(gateway.newStore(), newName(), address)
    expect(allowed(await sendMany(10, attempt))).toBe(4)
    expect((await signIn(gateway.newStore(), newName(), newAddress())).status).toBe(200)
  })

  it('cannot forge its address', async () => {
    const address = newAddress()
    const attempt = () => signIn(gateway.newStore(), newName(), `${newAddress()}, ${address}, 10.1.2.3`)
    expect(allowed(await sendMany(10, attempt))).toBe(4)
    const claimed = () =>
      gateway.newStore().shop('POST', '/customer/auth', {
        json: { platform: 'minecraft', id: newName() },
        headers: { 'x-forwarded-for': address, 'x-service-customer-ip': newAddress() },
      })
    expect((await claimed()).status).toBe(429)
  })

  it('counts an IPv6 /64 as one address', async () => {
    const prefix = `2001:db8:${(++next).toString(16)}:1`
    const attempt = () => signIn(gateway.newStore(), newName(), `${prefix}::${(++next).toString(16)}`)
    expect(allowed(await sendMany(10, attempt))).toBe(4)
    expect((await signIn(gateway.newStore(), newName(), prefix.replace(/1$/, '2::1'))).status).toBe(200)
  })

  it('does not lock out a player who signed in before from the same address', async () => {
    const store = gateway.newStore()
    const home = newAddress()
    expect((await signIn(store, 'Robin', home)).status).toBe(200)
    for (let sent = 0; sent < 4; sent += 1) await signIn(store, 'Robin', newAddress())
    expect((await signIn(store, 'Robin', newAddress())).status).toBe(429)
    expect((await signIn(store, 'Robin', home)).status).toBe(200)
  })

  it('is limited by store and sign-in key, which the customers service derives from the name', async () => {
    gateway.services.overrides.getSignInKey = async ({ id }: { id: string }) => ({ signInKey: id.slice(0, 1) })
    const store = gateway.newStore()
    const statuses = await Promise.all(['a1', 'a2', 'a3', 'a4'].map((name) => signIn(store, name, newAddress())))
    expect(allowed(statuses.map(({ status }) => status))).toBe(3)
    expect((await signIn(store, 'b1', newAddress())).status).toBe(200)
    expect((await signIn(gateway.newStore(), 'a5', newAddress())).status).toBe(200)
  })

  it('is limited by store', async () => {
    const store = gateway.newStore()
    expect(allowed(await sendMany(12, () => signIn(store, newName(), newAddress())))).toBe(6)
  })

  it('is not counted against the other limits when one rejects it', async () => {
    const store = gateway.newStore()
    const name = newName()
    await sendMany(10, () => signIn(store, name, newAddress()))
    expect(allowed(await sendMany(10, () => signIn(store, newName(), newAddress())))).toBe(3)
  })

  it.each([
    ['address', 4, () => [gateway.newStore(), '203.1.0.1'] as const],
    ['store', 6, (store: TestStore) => [store, newAddress()] as const],
  ])('calls no service once its %s is rejected', async (_, quota, target) => {
    const shared = gateway.newStore()
    const attempt = () => {
      const [store, address] = target(shared)
      return signIn(store, newName(), address)
    }
    for (let n = 0; n < quota; n += 1) expect((await attempt()).status).toBe(200)
    expect((await attempt()).status).toBe(429)
    gateway.services.calls.length = 0
    expect(await sendMany(5, attempt)).toEqual(Array(5).fill(429))
    expect(gateway.services.calls).toEqual([])
  })

  it('is limited by address and store while the customers service is unavailable', async () => {
    gateway.services.overrides.getSignInKey = () => Promise.reject(errors.unavailable())
    const address = newAddress()
    const fromAddress = () => signIn(gateway.newStore(), newName(), address)
    for (let n = 0; n < 4; n += 1) expect((await fromAddress()).status).toBe(503)
    const store = gateway.newStore()
    const inStore = () => signIn(store, newName(), newAddress())
    for (let n = 0; n < 6; n += 1) expect((await inStore()).status).toBe(503)
    for (const attempt of [fromAddress, inStore]) {
      const { status, headers } = await attempt()
      expect(status).toBe(429)
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
  })

  it('reports all three limits', async () => {
    const { headers } = await signIn(gateway.newStore(), newName(), newAddress())
    expect(headers['ratelimit-policy']).toBe(
      '"sign-in-address";q=4;w=60, "sign-in-name";q=3;w=60, "sign-in-store";q=6;w=60',
    )
  })
})

describe('concurrent requests of clients behind a trusted proxy', () => {
  it('are limited by client address', async () => {
    const store = gateway.newStore()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    gateway.services.overrides.getStore = async () => {
      await released
      throw errors.unavailable()
    }
    const [address, other] = [newAddress(), newAddress()]
    const visit = (from: string) => store.shop('GET', '', { headers: { 'x-forwarded-for': from } })
    const held = Array.from({ length: 20 }, () => visit(address))
    await vi.waitFor(() => expect(gateway.services.calls).toHaveLength(20), 60_000)
    const rejected = await visit(address)
    expect(rejected.body).toMatchObject({ status: 429, code: 'too-many-requests' })
    expect(rejected.headers['retry-after']).toBe('1')
    held.push(visit(other))
    await vi.waitFor(() => expect(gateway.services.calls).toHaveLength(21), 60_000)
    release()
    expect(new Set((await Promise.all(held)).map(({ status }) => status))).toEqual(new Set([503]))
    expect((await visit(address)).status).toBe(503)
  })
})

describe('rejected credentials', () => {
  const calls = () => gateway.services.calls.length

  function sendKey(store: TestStore, address: string, key: string): Promise<HttpResponse> {
    return store.send('GET', '/customers', { headers: { authorization: `APIKey ${key}`, 'x-forwarded-for': address } })
  }
  function sendToken(store: TestStore, address: string, token: string, path = '/customer'): Promise<HttpResponse> {
    return store.shop('GET', path, { headers: { authorization: `Customer ${token}`, 'x-forwarded-for': address } })
  }
  const generatedToken = ({ id }: TestStore) => newToken({ storeId: id, customerId: newId() })
  const kinds: [kind: string, policy: string, send: (store: TestStore, address: string) => Promise<HttpResponse>][] = [
    ['API keys', 'failed-api-key', (store, address) => sendKey(store, address, newApiKey())],
    ['customer tokens', 'failed-token', (store, address) => sendToken(store, address, generatedToken(store))],
    ['optional tokens', 'failed-token', (store, address) => sendToken(store, address, generatedToken(store), '')],
  ]

  /** Exhausts the limits of the address for keys and for tokens. */
  async function flood(store: TestStore, address: string): Promise<void> {
    for (const [, , send] of kinds.slice(0, 2)) {
      expect((await repeat(4, () => send(store, address))).at(-1)).toBe(429)
    }
  }

  it.each(kinds)('are verified up to the quota, then blocked: %s', async (_, policy, send) => {
    const [store, address] = [gateway.newStore(), newAddress()]
    expect(await repeat(3, () => send(store, address))).toEqual([401, 401, 401])
    expect(calls()).toBe(3)
    const rejected = await send(store, address)
    expect(rejected.body).toMatchObject({ status: 429, code: 'too-many-requests' })
    expect(rejected.headers['ratelimit-policy']).toBe(`"${policy}";q=3;w=60`)
    expect(rejected.headers.ratelimit).toMatch(new RegExp(`^"${policy}";r=0;t=6[01]$`))
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(55)
    expect(calls()).toBe(3)
    expect((await send(store, newAddress())).status).toBe(401)
    gateway.clock.ahead = 62_000
    expect((await send(store, address)).status).toBe(401)
  })

  it('are counted together for an IPv6 /64', async () => {
    const store = gateway.newStore()
    const fromNetwork = () => sendKey(store, `2001:db8:ffff:1::${(++next).toString(16)}`, newApiKey())
    expect(await repeat(4, fromNetwork)).toEqual([401, 401, 401, 429])
  })

  it('of one kind do not block the other', async () => {
    const [store, address] = [gateway.newStore(), newAddress()]
    for (let n = 0; n < 4; n += 1) await sendToken(store, address, generatedToken(store))
    expect((await sendKey(store, address, store.apiKey)).status).toBe(200)
  })

  it('do not block keys and tokens of the same address that were accepted or issued within 15 minutes', async () => {
    const [store, address] = [gateway.newStore(), newAddress()]
    const { token } = store.signIn()
    const issued = store.signIn().token
    gateway.services.overrides.mintToken = async () => ({ token: issued })
    const good = async () => [
      (await sendKey(store, address, store.apiKey)).status,
      (await sendToken(store, address, token)).status,
    ]
    expect(await good()).toEqual([200, 200])
    await flood(store, address)
    expect((await store.send('POST', `/customers/${newId()}/tokens`)).status).toBe(200)
    expect((await sendToken(store, address, issued)).status).toBe(200)
    // Long enough for the key to be verified again.
    gateway.clock.ahead = 10_000
    expect(await good()).toEqual([200, 200])
    expect((await store.shop('GET', '', { headers: { 'x-forwarded-for': address } })).status).toBe(200)
  })

  it('block keys and tokens that the gateway does not know, valid or not (negative control)', async () => {
    const [store, address] = [gateway.newStore(), newAddress()]
    await flood(store, address)
    expect((await sendKey(store, address, store.apiKey)).status).toBe(429)
    expect((await sendToken(store, address, store.signIn().token)).status).toBe(429)
  })

  it('lose their exemption when they are revoked', async () => {
    const [store, address] = [gateway.newStore(), newAddress()]
    const { token } = store.signIn()
    expect((await sendToken(store, address, token)).status).toBe(200)
    await flood(store, address)
    gateway.services.tokens.delete(token)
    expect(await repeat(2, () => sendToken(store, address, token))).toEqual([401, 429])
  })

  it('are counted only when a service was called', async () => {
    const [store, address] = [gateway.newStore(), newAddress()]
    expect(await repeat(5, () => sendToken(store, address, 'nonsense'))).toEqual(Array(5).fill(401))
  })

  it('do not include failures of the service', async () => {
    const [store, address] = [gateway.newStore(), newAddress()]
    const away = () => Promise.reject(errors.unavailable())
    Object.assign(gateway.services.overrides, { verifyApiKey: away, verifyToken: away })
    expect(await repeat(5, () => sendKey(store, address, newApiKey()))).toEqual(Array(5).fill(503))
  })
})

describe('anonymous requests for stores that do not exist', () => {
  const visit = (id: string, address: string) =>
    gateway.request('GET', '/v1/store', { headers: { 'x-service-store-id': id, 'x-forwarded-for': address } })

  it('reach the service up to the quota per address, and block no store that was found before', async () => {
    const [address, known, unseen] = [newAddress(), newId(), newId()]
    gateway.services.overrides.getStore = async (_request, { storeId = '' }) => {
      if (storeId !== known && storeId !== unseen) throw errors.notFound('store')
      return { store: { id: storeId, slug: 's', name: 'n', game: 1, currency: 'eur' } }
    }
    expect((await visit(known, address)).status).toBe(200)
    expect(await repeat(6, () => visit(newId(), address))).toEqual([404, 404, 404, 404, 429, 429])
    expect(gateway.services.calls).toHaveLength(5)
    const rejected = await visit(newId(), address)
    expect(rejected.headers['ratelimit-policy']).toBe('"unknown-store";q=4;w=60')
    expect((await visit(newId(), newAddress())).status).toBe(404)
    // Long enough for the store to be read again.
    gateway.clock.ahead = 10_000
    expect((await visit(known, address)).status).toBe(200)
    expect((await visit(unseen, address)).status).toBe(429)
  })
})

async function repeat(count: number, send: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < count; n += 1) statuses.push((await send()).status)
  return statuses
}
