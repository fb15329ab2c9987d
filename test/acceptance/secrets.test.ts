import {
  type CustomerBody,
  fresh,
  openShop,
  type PortalSessionBody,
  type Product,
  readStream,
  readTraces,
  startProduct,
  waitFor,
} from '@storekeep/test/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** All secrets of one run, used correctly and incorrectly, must appear only in responses. */
describe('an issued secret', () => {
  let system: Product
  beforeAll(async () => {
    system = await startProduct([{}])
  })
  afterAll(() => system.stop())

  it('appears in no log, table or event and not in Redis, even when it is misused', async () => {
    const secrets = [...(await handOutEverything(system)), ...(await handOutEverything(system))]
    for (const secret of secrets) await misuse(system, secret)
    expect(new Set(secrets).size).toBe(secrets.length)
    for (const secret of secrets) expect(system.secrets.all().map((one) => one.secret)).toContain(secret)
    expect(await system.findLeaks()).toEqual([])
  })

  it('negative control: a token written into metadata is found', async () => {
    const store = await system.createStore()
    const { body: customer } = await store.post<CustomerBody>('/customers', { name: fresh.name() })
    const { body } = await store.post<{ token: string }>(`/customers/${customer.id}/tokens`)
    await store.patch(`/customers/${customer.id}`, { metadata: { saved: body.token } })
    const leaks = await waitFor('the leak to be detected', async () => {
      const found = await system.findLeaks()
      return found.length > 0 && found
    })
    expect(leaks.some((leak) => leak.includes('database customers.customer.metadata'))).toBe(true)
  })
})

/** Personal data stays with its owner: events are kept for days, and none can be deleted for one person. */
describe('the billing details of a buyer', () => {
  let system: Product
  beforeAll(async () => {
    system = await startProduct([{}])
  })
  afterAll(() => system.stop())

  it('appear in no event of an order, in the outbox or in the stream, and the order is found by email address', async () => {
    const store = await system.createStore()
    const shop = openShop(store)
    const { id: product_id } = await shop.product({ name: 'stands in every event' })
    const { id: customer_id } = await shop.customer()
    const details = ['billing_name', 'billing_email', 'billing_tax_id'].map((name) => [
      name,
      `${fresh.name()}@canary.org`,
    ])
    const customer_details = { ...Object.fromEntries(details), billing_address: { city: 'Canary Wharf' } }
    const order = { lines: [{ quantity: 1, product_id }], customer_id, customer_details }
    const ids = [(await shop.session(order)).id, (await shop.session(order)).id]
    const email = encodeURIComponent(String(customer_details.billing_email).toUpperCase())
    await waitFor('the sessions to be found by their email address', async () => {
      const { body } = await store.get<{ results: { id: string }[] }>(`/dashboard/search?search_hints[email]=${email}`)
      return ids.every((id) => body.results.some((result) => result.id === id))
    })
    const messages = (await readStream(system.address)).join()
    const outbox = (await readTraces(system.address)).filter(({ place }) => /\.(outbox|dead_letter)\./.test(place))
    const events = [messages, ...outbox.map(({ text }) => text)].join()
    expect(events).not.toMatch(/canary/i)
    // Control: the same texts show what an event does carry.
    expect(messages.split('stands in every event').length).toBeGreaterThan(2)
    expect(outbox.some(({ text }) => text.includes('stands in every event'))).toBe(true)
  })
})

async function handOutEverything(system: Product): Promise<string[]> {
  const store = await system.createStore({ game: 'minecraft_offline' })
  const second = await system.operator.createKey(store.id)
  const { body: customer } = await store.post<CustomerBody>('/customers', { name: fresh.name() })
  const headers = { 'idempotency-key': fresh.idempotencyKey() }
  const path = `/customers/${customer.id}`
  const minted = await store.post<{ token: string }>(`${path}/tokens`)
  const keyed = await store.post<{ token: string }>(`${path}/tokens`, undefined, { headers })
  await store.post(`${path}/tokens`, undefined, { headers })
  const portal = await store.post<PortalSessionBody>(`${path}/portal-sessions`)
  const keyedPortal = await store.post<PortalSessionBody>(`${path}/portal-sessions`, {}, { headers })
  const shop = openShop(store)
  const lines = [{ quantity: 1, product_id: (await shop.product()).id }]
  const checkout = await shop.order({ lines, customer_id: customer.id })
  const keyedCheckout = await shop.order({ lines, customer_id: customer.id }, { headers })
  await shop.order({ lines, customer_id: customer.id }, { headers })
  const endpoint = {
    url: 'https://hooks.example.com',
    event_types: ['*'],
    headers: { 'X-Token': fresh.idempotencyKey() },
  }
  system.secrets.add('webhook-header', endpoint.headers['X-Token'])
  const webhook = await store.post<{ id: string; secret: string }>('/webhook-endpoints', endpoint)
  const keyedWebhook = await store.post<{ secret: string }>('/webhook-endpoints', endpoint, { headers })
  const rotated = await store.post<{ secret: string }>(`/webhook-endpoints/${webhook.body.id}/rotate-secret`)
  await store.patch(`/webhook-endpoints/${webhook.body.id}`, { headers: { 'X-Token': '********' } })
  const typed = { platform: 'minecraft', id: fresh.name() }
  const signedIn = await store.shop<{ customer_token: string }>('POST', '/store/customer/auth', { json: typed })
  await store.shop('GET', '/store/customer', { token: minted.body.token })
  await store.delete(`${path}/tokens`)
  return [
    store.apiKey,
    second.key,
    minted.body.token,
    keyed.body.token,
    portal.body.token,
    keyedPortal.body.token,
    checkout.body.token,
    keyedCheckout.body.token,
    signedIn.body.customer_token,
    webhook.body.secret,
    keyedWebhook.body.secret,
    rotated.body.secret,
  ]
}

/** Sends a secret in every place where a mistaken caller might put it. */
async function misuse({ http }: Product, secret: string): Promise<void> {
  const store = '/v1/stores/411486491630370816'
  for (const authorization of [
    secret,
    `APIKey ${secret}`,
    `Customer ${secret}`,
    `Bearer ${secret}`,
    `APIKey ${secret}x`,
  ]) {
    const headers = { authorization, 'x-service-store-id': '411486491630370816' }
    await http.request('GET', `${store}/customers`, { headers })
    await http.request('GET', '/v1/store/customer', { headers })
  }
  const headers = { authorization: `APIKey ${secret}` }
  await http.request('GET', `${store}/customers?search=${secret}&token=${secret}`, { headers })
  await http.request('GET', `${store}/customers/${secret}`, { headers })
  await http.request('GET', `/${secret}?t=${secret}`, { headers: { 'x-request-id': secret, traceparent: secret } })
  await http.request('POST', `${store}/customers`, { headers, raw: `{"name": ${secret}` })
  await http.request('POST', `${store}/customers/${secret}/tokens`, {
    headers: { ...headers, 'idempotency-key': secret },
    json: { token: secret },
  })
  await http.request('GET', '/v1/store', { headers: { 'x-service-store-id': secret, 'x-service-customer-ip': secret } })
}
