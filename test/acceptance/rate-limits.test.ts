import {
  expectFault,
  fresh,
  type HttpResponse,
  sharedGateways,
  type TestStore,
  useSharedSystem,
} from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore, operator, openGateway, http } = await useSharedSystem()
const strict = openGateway(sharedGateways.strict)

async function times(count: number, call: (index: number) => Promise<HttpResponse>): Promise<HttpResponse[]> {
  const responses: HttpResponse[] = []
  for (let index = 0; index < count; index++) responses.push(await call(index))
  return responses
}

function expectRejected(response: HttpResponse): void {
  expectFault(response, 'too-many-requests')
  expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(61)
  expect(response.headers['ratelimit-policy']).toMatch(/q=\d+;\s*w=60/)
  expect(response.headers.ratelimit).toMatch(/r=0;\s*t=\d+/)
}

describe('calls with one API key', () => {
  it('are rejected beyond its limit with a Retry-After header while other keys work', async () => {
    const store = (await createStore()).through(strict)
    const responses = await times(7, () => store.get('/customers'))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429])
    for (const response of responses.slice(5)) expectRejected(response)
    const second = await operator.createKey(store.id)
    const response = await strict.request('GET', `/v1/stores/${store.id}/customers`, {
      headers: { authorization: `APIKey ${second.key}` },
    })
    expect(response.status).toBe(200)
  })

  it('never exceed the limit when they are concurrent', async () => {
    const store = (await createStore()).through(strict)
    const responses = await Promise.all(Array.from({ length: 30 }, () => store.post('/customers', { name: 'x' })))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(25)
  })

  it('have a default limit of thousands per minute', async () => {
    const store = (await createStore()).through(http)
    const responses = await Promise.all(Array.from({ length: 100 }, () => store.get('/customers')))
    expect(responses.every(({ status }) => status === 200)).toBe(true)
  })
})

describe('direct sign-ins', () => {
  function signIn(store: TestStore, id: string, address: string): Promise<HttpResponse> {
    return store.shop('POST', '/store/customer/auth', {
      json: { platform: 'minecraft', id },
      headers: { 'x-forwarded-for': address },
    })
  }

  it('are limited by the client address behind a trusted proxy', async () => {
    const store = (await createStore({ game: 'minecraft_offline' })).through(strict)
    const address = freshAddress()
    const responses = await times(5, () => signIn(store, fresh.name(), `${address}, 10.1.2.3`))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429])
    for (const response of responses.slice(4)) expectRejected(response)
    expect((await signIn(store, fresh.name(), freshAddress())).status).toBe(200)
  })

  it('count an IPv6 /64 as one address', async () => {
    const store = (await createStore({ game: 'minecraft_offline' })).through(strict)
    const responses = await times(5, (index) => signIn(store, fresh.name(), `2001:db8:4711:1::${index + 1}`))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429])
    expect((await signIn(store, fresh.name(), '2001:db8:4711:2::1')).status).toBe(200)
  })

  it('cannot spoof their address with a forwarded header', async () => {
    const store = (await createStore({ game: 'minecraft_offline' })).through(strict)
    const address = freshAddress()
    const responses = await times(5, (index) => signIn(store, fresh.name(), `203.0.113.${index + 1}, ${address}`))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429])
  })

  it('cannot spoof their address with the x-service-customer-ip header', async () => {
    const store = (await createStore({ game: 'minecraft_offline' })).through(strict)
    const address = freshAddress()
    const responses = await times(5, (index) =>
      store.shop('POST', '/store/customer/auth', {
        json: { platform: 'minecraft', id: fresh.name() },
        headers: { 'x-forwarded-for': address, 'x-service-customer-ip': `203.0.113.${index + 1}` },
      }),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429])
  })

  it('are limited by store and name in any spelling', async () => {
    const store = (await createStore({ game: 'minecraft_offline' })).through(strict)
    const name = fresh.name()
    const spellings = [name, name.toUpperCase(), name, name.toUpperCase()]
    const responses = await times(4, (index) => signIn(store, spellings[index] ?? name, freshAddress()))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    const other = (await createStore({ game: 'minecraft_offline' })).through(strict)
    expect((await signIn(other, name, freshAddress())).status).toBe(200)
  })

  it('are limited by store', async () => {
    const store = (await createStore({ game: 'minecraft_offline' })).through(strict)
    const responses = await times(7, () => signIn(store, fresh.name(), freshAddress()))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 429])
  })
})

describe('rejected tokens', () => {
  it('are rejected without verification after too many from one address, but not for other addresses', async () => {
    const [here, there] = [(await createStore()).through(strict), await createStore()]
    const { body: customer } = await there.post<{ id: string }>('/customers', { name: fresh.name() })
    const { body } = await there.post<{ token: string }>(`/customers/${customer.id}/tokens`)
    const address = freshAddress()
    const whoAmI = (store: TestStore, from: string) =>
      store.shop('GET', '/store/customer', { token: body.token, headers: { 'x-forwarded-for': from } })
    const responses = await times(6, () => whoAmI(here, address))
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403, 403, 429, 429])
    for (const response of responses.slice(4)) expectRejected(response)
    expect((await whoAmI(there.through(strict), freshAddress())).status).toBe(200)
    expect((await here.shop('GET', '/store', { headers: { 'x-forwarded-for': address } })).status).toBe(200)
  })
})

let lastAddress = 0
function freshAddress(): string {
  lastAddress += 1
  return `198.51.100.${lastAddress}`
}
