import { describe, expect, it } from 'vitest'
import { type TestStore, useGateway } from './harness.ts'

const gateway = useGateway({
  TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.0/8',
  RATE_LIMIT_API_KEY_PER_MINUTE: '5',
  RATE_LIMIT_SIGN_IN_ADDRESS_PER_MINUTE: '4',
  RATE_LIMIT_SIGN_IN_NAME_PER_MINUTE: '3',
  RATE_LIMIT_SIGN_IN_STORE_PER_MINUTE: '6',
})

async function sendMany(count: number, send: () => Promise<{ status: number }>): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, send))
  return answers.map(({ status }) => status)
}

const allowed = (statuses: number[]) => statuses.filter((status) => status === 200).length

describe('the limit per API key', () => {
  it.each([
    ['GET', undefined],
    ['POST', { name: 'a' }],
  ])('grants %s exactly its number, however many come at once', async (method, json) => {
    const store = gateway.newStore()
    const statuses = await sendMany(20, () => store.send(method, '/customers', { json }))
    expect(allowed(statuses)).toBe(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(15)
    const writes = gateway.services.calls.filter(({ name }) => name === 'createCustomer')
    expect(writes).toHaveLength(method === 'POST' ? 5 : 0)
  })

  it('says what is left, and when to come again', async () => {
    const store = gateway.newStore()
    const first = await store.send('GET', '/customers')
    expect(first.headers['ratelimit-policy']).toBe('"api-key";q=5;w=60')
    expect(first.headers.ratelimit).toMatch(/^"api-key";r=4;t=6[01]$/)
    await sendMany(4, () => store.send('GET', '/customers'))
    const refused = await store.send('GET', '/customers')
    expect(refused.body).toMatchObject({ status: 429, code: 'too-many-requests' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(55)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(61)
    expect(refused.headers.ratelimit).toMatch(/^"api-key";r=0;t=/)
  })

  it('counts each key for itself, and requests that fail as well', async () => {
    const store = gateway.newStore()
    const other = gateway.newStore()
    expect(await sendMany(5, () => store.send('GET', '/customers?limit=0'))).toEqual(Array(5).fill(400))
    expect((await store.send('GET', '/customers')).status).toBe(429)
    expect((await other.send('GET', '/customers')).status).toBe(200)
  })
})

describe('a direct sign-in', () => {
  const signIn = (store: TestStore, name: string, forwardedFor: string) =>
    store.shop('POST', '/customer/auth', {
      json: { platform: 'minecraft', id: name },
      headers: { 'x-forwarded-for': forwardedFor },
    })
  let next = 0
  const newName = () => `Name_${++next}`
  const newAddress = () => `203.0.${Math.floor(++next / 250)}.${(next % 250) + 1}`

  it('is limited by the address behind the trusted proxies', async () => {
    const address = newAddress()
    const attempt = () => signIn(gateway.newStore(), newName(), address)
    expect(allowed(await sendMany(10, attempt))).toBe(4)
    expect((await signIn(gateway.newStore(), newName(), newAddress())).status).toBe(200)
  })

  it('cannot choose its address by what it claims itself', async () => {
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

  it('counts a whole /64 of IPv6 as one', async () => {
    const prefix = `2001:db8:${(++next).toString(16)}:1`
    const attempt = () => signIn(gateway.newStore(), newName(), `${prefix}::${(++next).toString(16)}`)
    expect(allowed(await sendMany(10, attempt))).toBe(4)
    expect((await signIn(gateway.newStore(), newName(), prefix.replace(/1$/, '2::1'))).status).toBe(200)
  })

  it('is limited by store and name, however the name is written', async () => {
    const store = gateway.newStore()
    const name = newName()
    const spellings = [name, name.toLowerCase(), name.toUpperCase(), ` ${name} `]
    const statuses = await Promise.all(spellings.map((one) => signIn(store, one, newAddress())))
    expect(allowed(statuses.map(({ status }) => status))).toBe(3)
    expect((await signIn(gateway.newStore(), name, newAddress())).status).toBe(200)
  })

  it('is limited by store', async () => {
    const store = gateway.newStore()
    expect(allowed(await sendMany(12, () => signIn(store, newName(), newAddress())))).toBe(6)
  })

  it('that one limit refuses counts against no other', async () => {
    const store = gateway.newStore()
    const name = newName()
    await sendMany(10, () => signIn(store, name, newAddress()))
    expect(allowed(await sendMany(10, () => signIn(store, newName(), newAddress())))).toBe(3)
  })

  it('names all three limits', async () => {
    const { headers } = await signIn(gateway.newStore(), newName(), newAddress())
    expect(headers['ratelimit-policy']).toBe(
      '"sign-in-address";q=4;w=60, "sign-in-name";q=3;w=60, "sign-in-store";q=6;w=60',
    )
  })
})
