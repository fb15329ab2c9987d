import { errors } from '@storekeep/common/errors'
import { describe, expect, it } from 'vitest'
import type { TestStore } from './harness.ts'
import type { HttpResponse } from './http-client.ts'
import { newApiKey, newGameServerToken, newId, newToken } from './ids.ts'
import { newAddress, useLimitedGateway } from './limited-gateway.ts'

const gateway = useLimitedGateway({ RATE_LIMIT_GAME_SERVER_POLLS_PER_MINUTE: '120' })

describe('rejected credentials', () => {
  const calls = () => gateway.services.calls.length

  function sendKey(store: TestStore, address: string, key: string): Promise<HttpResponse> {
    return store.send('GET', '/customers', { headers: { authorization: `APIKey ${key}`, 'x-forwarded-for': address } })
  }
  function sendToken(store: TestStore, address: string, token: string, path = '/customer'): Promise<HttpResponse> {
    return store.shop('GET', path, { headers: { authorization: `Customer ${token}`, 'x-forwarded-for': address } })
  }
  function sendGameServerToken(address: string, token: string): Promise<HttpResponse> {
    const headers = { authorization: `Gameserver ${token}`, 'x-forwarded-for': address }
    return gateway.request('GET', '/v1/delivery/command-queue', { headers })
  }
  const generatedToken = ({ id }: TestStore) => newToken({ storeId: id, customerId: newId() })
  const kinds: [kind: string, policy: string, send: (store: TestStore, address: string) => Promise<HttpResponse>][] = [
    ['API keys', 'failed-api-key', (store, address) => sendKey(store, address, newApiKey())],
    ['customer tokens', 'failed-token', (store, address) => sendToken(store, address, generatedToken(store))],
    [
      'tokens of game servers',
      'failed-game-server-token',
      (_store, address) => sendGameServerToken(address, newGameServerToken()),
    ],
    ['optional tokens', 'failed-token', (store, address) => sendToken(store, address, generatedToken(store), '')],
  ]

  /** Exhausts the limits of the address for keys and for tokens. */
  async function flood(store: TestStore, address: string): Promise<void> {
    for (const [, , send] of kinds.slice(0, 3)) {
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
    let next = 0
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
    const gameServer = gateway.newGameServer().token
    const issued = store.signIn().token
    gateway.services.overrides.mintToken = async () => ({ token: issued })
    const good = async () => [
      (await sendKey(store, address, store.apiKey)).status,
      (await sendToken(store, address, token)).status,
      (await sendGameServerToken(address, gameServer)).status,
    ]
    expect(await good()).toEqual([200, 200, 200])
    await flood(store, address)
    expect((await store.send('POST', `/customers/${newId()}/tokens`)).status).toBe(200)
    expect((await sendToken(store, address, issued)).status).toBe(200)
    // Long enough for the key to be verified again.
    gateway.clock.ahead = 10_000
    expect(await good()).toEqual([200, 200, 200])
    expect((await store.shop('GET', '', { headers: { 'x-forwarded-for': address } })).status).toBe(200)
  })

  it('block keys and tokens that the gateway does not know, valid or not (negative control)', async () => {
    const [store, address] = [gateway.newStore(), newAddress()]
    await flood(store, address)
    expect((await sendKey(store, address, store.apiKey)).status).toBe(429)
    expect((await sendToken(store, address, store.signIn().token)).status).toBe(429)
    expect((await sendGameServerToken(address, gateway.newGameServer().token)).status).toBe(429)
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
    gateway.clock.stop()
    const quota = 600
    const found = await repeat(quota, () => visit(newId(), address))
    expect(new Set(found)).toEqual(new Set([404]))
    expect(await repeat(2, () => visit(newId(), address))).toEqual([429, 429])
    expect(gateway.services.calls).toHaveLength(1 + quota)
    const rejected = await visit(newId(), address)
    expect(rejected.headers['ratelimit-policy']).toBe(`"unknown-store";q=${quota};w=60`)
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
