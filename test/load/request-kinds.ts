import { randomBytes } from 'node:crypto'
import { couponTerms, type TestStore } from '@storekeep/test/kit'
import type { LoadRequest } from './http-load.ts'

/** The measured requests. The floor gets the same as the product, except for the form of customer tokens. */
export async function describeKinds(store: TestStore, ids: readonly string[], floorTokenOf: TokenOf): Promise<Kind[]> {
  const base = `/v1/stores/${store.id}`
  const key = { authorization: `APIKey ${store.apiKey}` }
  const json = { ...key, 'content-type': 'application/json' }
  const customer = (index: number) => `${base}/customers/${ids[(index * 7919) % ids.length] ?? ''}`
  const tokens = await Promise.all(ids.slice(0, 50).map((id) => tokensOf(store, id, floorTokenOf)))
  const tokenAt = (index: number) => tokens[index % tokens.length]
  // Ids of an earlier run may still be stored.
  let created = Date.now() % 4_000_000_000
  return [
    same('W1 customer by id', 8000, (index) => ({ method: 'GET', path: customer(index), headers: key })),
    same('W2 create customer', 3000, () => ({
      method: 'POST',
      path: `${base}/customers`,
      headers: json,
      body: JSON.stringify({ steam_id: newSteamId(created++), name: `Robin ${randomBytes(4).toString('hex')}` }),
    })),
    {
      name: 'W3 who am I',
      count: 6000,
      floor: (index) => ({
        method: 'GET',
        path: `${base}/who`,
        headers: { authorization: `Customer ${tokenAt(index)?.floor}` },
      }),
      product: (index) => ({
        method: 'GET',
        path: '/v1/store/customer',
        headers: { authorization: `Customer ${tokenAt(index)?.product}`, 'x-service-store-id': store.id },
      }),
    },
    same('W4 list 100 coupons', 1500, () => ({ method: 'GET', path: `${base}/coupons?limit=100`, headers: key })),
    same('W5 mint a token', 6000, (index) => ({ method: 'POST', path: `${customer(index)}/tokens`, headers: key })),
    {
      // Compared with what the floor spends on W1. The run fails when the ratio exceeds the baseline of W1.
      name: 'W6 catalog of 50 products',
      count: 8000,
      floor: (index) => ({ method: 'GET', path: customer(index), headers: key }),
      product: () => ({ method: 'GET', path: '/v1/store/products', headers: { 'x-service-store-id': store.id } }),
    },
  ]
}

/** Creates the 100 coupons of W4 and returns them as the product sends them. */
export async function createCoupons(store: TestStore): Promise<Record<string, unknown>[]> {
  const coupon = (index: number) => ({ ...couponTerms, code: `LOAD${index}` })
  await Promise.all(Array.from({ length: 100 }, (_, index) => store.post('/coupons', coupon(index))))
  return (await store.get<Record<string, unknown>[]>('/coupons?limit=100')).body
}

/** Creates the 50 products of W6. */
export async function createProducts(store: TestStore): Promise<void> {
  const product = (index: number) => ({
    name: `Rank ${index}`,
    description: 'Priority in the queue, and a badge. '.repeat(10),
    price: 999,
    image_url: `https://shop.example.com/ranks/${index}.png`,
  })
  await Promise.all(Array.from({ length: 50 }, (_, index) => store.post('/products', product(index))))
}

function same(name: string, count: number, make: (index: number) => LoadRequest): Kind {
  return { name, count, floor: make, product: make }
}

async function tokensOf(store: TestStore, id: string, floorTokenOf: TokenOf) {
  const { body } = await store.post<{ token: string }>(`/customers/${id}/tokens`, undefined)
  return { product: body.token, floor: await floorTokenOf(id) }
}

function newSteamId(index: number): string {
  return String(76_561_198_200_000_000n + BigInt(index))
}

export interface Kind {
  name: string
  /** Requests per round, so that a round uses enough CPU time to be measured. */
  count: number
  floor(index: number): LoadRequest
  product(index: number): LoadRequest
}

type TokenOf = (customerId: string) => Promise<string>
