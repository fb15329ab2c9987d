import { formatDatabaseUrl, parseDatabaseUrl } from '@storekeep/common/config'
import { fresh, onServer, openShop, type Product, startProduct, waitFor } from '@storekeep/test/kit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// test/guarantees/pooler.test.ts proves the parts and has their negative controls.

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })
const serverUrl = process.env.TEST_DATABASE_ADMIN_URL ?? ''

describe('the product behind PgBouncer', () => {
  let product: Product
  beforeAll(async () => {
    product = await startProduct(
      [{ RATE_LIMIT_API_KEY_PER_MINUTE: '100000000', RATE_LIMIT_SIGN_IN_ADDRESS_PER_MINUTE: '100000' }],
      {},
      { pooler: { max_db_connections: 10, default_pool_size: 10, max_client_conn: 1000 } },
    )
  })
  afterAll(() => product.stop())

  function console(command: string): Promise<Record<string, unknown>[]> {
    const admin = { ...parseDatabaseUrl(product.throughPooler(serverUrl)), database: 'pgbouncer' }
    return onServer(formatDatabaseUrl(admin), async (client) => (await client.query(command)).rows)
  }

  it('serves sign-ins, bans, checkouts, searches, orders and webhooks of 40 clients on 10 connections', async () => {
    const store = await product.createStore()
    const shop = openShop(store)
    const item = await shop.product({ price: 500 })
    const coupon = await shop.coupon({})
    const hook = await store.post('/webhook-endpoints', {
      url: 'https://hooks.example.com/x',
      event_types: ['ban.created'],
    })
    expect(hook.status, hook.text).toBe(200)

    async function visit(): Promise<void> {
      const steamId = fresh.steamId()
      const customer = await shop.customer({ steam_id: steamId })
      const { body: minted } = await store.post<{ token: string }>(`/customers/${customer.id}/tokens`)
      expect((await store.shop('GET', '/store/customer', { token: minted.token })).body).toEqual(customer)
      const order = {
        customer_id: customer.id,
        lines: [{ quantity: 1, product_id: item.id }],
        promo_codes: [coupon.code],
        return_url: 'https://shop.example.com/thanks',
      }
      const ban = await shop.ban('steam', steamId)
      expect((await shop.order(order)).status).toBe(403)
      expect((await store.delete(`/bans/${ban.id}`)).status).toBe(204)
      await shop.session(order)
      expect((await store.get('/payments')).status).toBe(200)
      await waitFor('the customer to be found', async () => {
        const found = await store.get(`/dashboard/search?query=${encodeURIComponent(customer.name ?? '')}`)
        return found.text.includes(customer.id)
      })
    }

    let clients = 0
    let servers = 0
    for (let round = 0; round < 2 || (clients < 40 && round < 20); round += 1) {
      await Promise.all(Array.from({ length: 12 }, visit))
      const ofProduct = ({ database }: Record<string, unknown>) => String(database).startsWith('test_')
      clients = Math.max(clients, (await console('SHOW CLIENTS')).filter(ofProduct).length)
      servers = Math.max(servers, (await console('SHOW SERVERS')).filter(ofProduct).length)
    }
    expect(clients).toBeGreaterThanOrEqual(40)
    expect(servers).toBeLessThanOrEqual(10)
  })
})
