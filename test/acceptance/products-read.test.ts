import {
  expectFault,
  openShop,
  type ProductBody,
  type TestStore,
  unknownId,
  useSharedSystem,
} from '@storekeep/test/kit'
import { beforeAll, describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()

describe('GET /products/{productId}', () => {
  it('returns 404 for the product of another store', async () => {
    const [store, other] = await Promise.all([createStore(), createStore()])
    const product = await openShop(other).product()
    expect((await other.get(`/products/${product.id}`)).body).toEqual(product)
    expectFault(await store.get(`/products/${product.id}`), 'not-found')
    expectFault(await store.get(`/products/${unknownId}`), 'not-found')
  })

  it.each(['0', '-1', '01', '9223372036854775808', 'abc', '%00'])('rejects the malformed id %s', async (id) => {
    const store = await createStore()
    expect((await store.get(`/products/${id}`)).status).toBe(400)
  })
})

describe('GET /products', () => {
  const five: ProductBody[] = []
  let store: TestStore
  beforeAll(async () => {
    store = await createStore()
    const { product } = openShop(store)
    for (const fields of [{}, { is_hidden: true }, { slug: 'three' }, { enabled_until: '2020-01-01T00:00:00Z' }, {}]) {
      five.push(await product(fields))
    }
    await openShop(await createStore()).product()
  })

  it('returns the products of the store, newest first, or oldest first with asc=true', async () => {
    expect((await store.get('/products')).body).toEqual(five.toReversed())
    expect((await store.get('/products?asc=true')).body).toEqual(five)
    expect((await (await createStore()).get('/products')).body).toEqual([])
  })

  it.each([
    ['after in ascending order', 'asc=true&limit=2&after=#1', [2, 3]],
    ['before in ascending order, nearest first', 'asc=true&limit=2&before=#4', [2, 3]],
    ['both in ascending order', 'asc=true&limit=2&after=#0&before=#4', [1, 2]],
    ['after in descending order', 'limit=2&after=#3', [2, 1]],
    ['before in descending order, nearest first', 'limit=2&before=#1', [3, 2]],
    ['nothing beyond the end', 'after=#0', []],
  ])('returns %s', async (_, query, expected) => {
    const filled = query.replace(/#(\d)/g, (_all, index) => five[Number(index)]?.id ?? '')
    const { status, body, text } = await store.get<ProductBody[]>(`/products?${filled}`)
    expect(status, text).toBe(200)
    expect(body.map(({ id }) => five.findIndex((one) => one.id === id))).toEqual(expected)
  })

  it('can be paged to the end by its Link headers', async () => {
    const seen: string[] = []
    for (let query = 'limit=2'; query !== ''; ) {
      const { body, headers } = await store.get<ProductBody[]>(`/products?${query}`)
      seen.push(...body.map(({ id }) => id))
      query = /<[^>?]*\?([^>]*)>; rel="next"/.exec(String(headers.link))?.[1] ?? ''
    }
    expect(seen).toEqual(five.toReversed().map(({ id }) => id))
  })
})
