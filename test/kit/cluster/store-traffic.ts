import { randomBytes } from 'node:crypto'
import { onServer } from '@storekeep/common/testing/database'
import type { Connection } from '../connection.ts'
import { fresh } from '../fresh.ts'
import { openShop } from '../shop.ts'
import type { Cluster } from './cluster.ts'
import type { LoadRequest, RequestKind } from './open-loop.ts'

/**
 * The requests of a busy store: shoppers who are signed in or sign in, the dashboard pages of its owner, searches, orders,
 * and writes with and without an Idempotency-Key. They reach every service, and marked writes can be counted afterwards.
 */
export async function openStoreTraffic(system: Pick<Connection, 'createStore'>): Promise<RequestKind[]> {
  const store = await system.createStore({ game: 'minecraft_offline' })
  const shop = openShop(store)
  const base = `/v1/stores/${store.id}`
  const key = { authorization: `APIKey ${store.apiKey}` }
  const inStore = { 'x-service-store-id': store.id }
  const [customer, product, coupon] = await Promise.all([shop.customer(), shop.product(), shop.coupon()])
  await Promise.all([shop.variable(), shop.ban('email', fresh.email()), shop.affiliateLink()])
  const session = await shop.session({ customer_id: customer.id, lines: [{ product_id: product.id, quantity: 1 }] })
  const tokens = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { body } = await store.shop<{ customer_token: string }>('POST', '/store/customer/auth', {
        json: { platform: 'minecraft', id: fresh.name() },
      })
      return body.customer_token
    }),
  )
  let turn = 0
  const nextToken = () => tokens[turn++ % tokens.length] ?? ''

  const get = (path: string) => (): LoadRequest => ({ method: 'GET', path: base + path, headers: key })
  const post = (path: string, bodyOf: (marker: string) => object) => (marker: string) => ({
    method: 'POST',
    path: base + path,
    headers: key,
    json: bodyOf(marker),
  })
  const read = (name: string, weight: number, make: RequestKind['make']): RequestKind => {
    return { name, weight, make, isRead: true, isKeyed: false, isMarked: false }
  }
  const write = (name: string, weight: number, make: RequestKind['make'], isMarked = true): RequestKind[] => [
    { name, weight, make, isRead: false, isKeyed: false, isMarked },
    { name: `${name}, keyed`, weight, make: withKey(make), isRead: false, isKeyed: true, isMarked },
  ]
  const inline = (name: string) => ({
    quantity: 1,
    inline_product: { name, price: 1000, allow_one_time_purchase: true },
  })

  return [
    read('customer by id', 20, get(`/customers/${customer.id}`)),
    read('who am I', 16, () => ({
      method: 'GET',
      path: '/v1/store/customer',
      headers: { ...inStore, authorization: `Customer ${nextToken()}` },
    })),
    read('list customers', 6, get('/customers?limit=10')),
    read('list coupons', 6, get('/coupons?limit=10')),
    read('list bans', 4, get('/bans?limit=10')),
    read('list products', 4, get('/products?limit=10')),
    read('list variables', 4, get('/custom-variables')),
    read('checkout by id', 4, get(`/checkouts/${session.id}`)),
    read('search', 6, get(`/dashboard/search?query=${customer.name}&limit=5`)),
    ...write(
      'create customer',
      5,
      post('/customers', (name) => ({ name })),
    ),
    ...write('create ban', 2, post('/bans', banOf)),
    ...write(
      'create product',
      2,
      post('/products', (name) => ({ name, price: 500 })),
    ),
    ...write(
      'order',
      3,
      post('/checkouts', (name) => ({ customer_id: customer.id, lines: [inline(name)] })),
    ),
    ...write(
      'order with a coupon',
      1,
      post('/checkouts', (name) => ({ customer_id: customer.id, coupon_id: coupon.id, lines: [inline(name)] })),
    ),
    ...write(
      'create token',
      2,
      post(`/customers/${customer.id}/tokens`, () => ({})),
      false,
    ),
    { ...signIn(inStore), isRead: false, isKeyed: false, isMarked: false },
  ]
}

function signIn(headers: Record<string, string>) {
  const make = () => ({
    method: 'POST',
    path: '/v1/store/customer/auth',
    headers,
    json: { platform: 'minecraft', id: `n${randomBytes(6).toString('hex')}` },
  })
  return { name: 'sign in', weight: 3, make }
}

function withKey(make: RequestKind['make']): RequestKind['make'] {
  return (marker) => {
    const request = make(marker)
    return { ...request, headers: { ...request.headers, 'idempotency-key': marker } }
  }
}

function banOf(marker: string) {
  return { identities: [{ ban_type: 'email', ban_type_value: `${marker}@example.org` }] }
}

/** How often each marker was written; markers that were never written are missing. */
export async function countEffects({ address }: Pick<Cluster, 'address'>): Promise<Map<string, number>> {
  return await onServer(address.adminUrl, async (client) => {
    const { rows } = await client.query<{ marker: string; count: number }>(
      `select marker, count(*)::int as count from (
         select name as marker from customers.customer
         union all select name from checkout.product
         union all select name from checkout.checkout_line
         union all select split_part(match_value, '@', 1) from bans.ban_identity where type = 'email'
       ) as effects group by marker`,
    )
    return new Map(rows.map(({ marker, count }) => [marker, count]))
  })
}

/** Rate limits that this traffic does not reach from one address. */
export const unlimited = {
  RATE_LIMIT_API_KEY_PER_MINUTE: '100000000',
  RATE_LIMIT_SIGN_IN_ADDRESS_PER_MINUTE: '1000000',
  RATE_LIMIT_SIGN_IN_STORE_PER_MINUTE: '1000000',
}
