import { errors } from '@storekeep/common/errors'
import { defineScript } from '@storekeep/common/redis'
import { describe, expect, it, vi } from 'vitest'
import { slidingWindowScript } from '../src/limits/sliding-window-script.ts'
import type { TestStore } from './harness.ts'
import { newAddress, useLimitedGateway } from './limited-gateway.ts'

const gateway = useLimitedGateway()

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

describe('the limits per game server', () => {
  it.each([
    ['game-server-poll', 'GET', '/command-queue', undefined],
    ['game-server-events', 'POST', '/events', []],
  ])('include %s, and count each server and limit alone', async (policy, method, path, json) => {
    const server = gateway.newGameServer()
    expect((await server.send(method, path, { json })).status).toBeLessThan(300)
    const rejected = await server.send(method, path, { json })
    expect(rejected.body).toMatchObject({ status: 429, code: 'too-many-requests' })
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0)
    expect(rejected.headers['ratelimit-policy']).toBe(`"${policy}";q=1;w=60`)
    expect(rejected.headers.ratelimit).toMatch(new RegExp(`^"${policy}";r=0;t=`))
    expect((await gateway.newGameServer().send(method, path, { json })).status).toBeLessThan(300)
    // Plugins execute commands again after any error.
    for (let count = 0; count < 5; count += 1) {
      expect((await server.send('POST', '/command-queue/acknowledge', { json: ['7'] })).status).toBe(204)
    }
  })
})

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
