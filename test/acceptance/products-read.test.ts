import { openShop, type ProductBody, type TestStore, useSharedSystem } from '@storekeep/test/kit'
import { beforeAll, describe, expect, it } from 'vitest'
import { listByLinks, listIndexes, pagesOfSix } from './lists.ts'

const { createStore } = await useSharedSystem()

describe('GET /products', () => {
  const six: ProductBody[] = []
  let store: TestStore
  beforeAll(async () => {
    store = await createStore()
    const { product } = openShop(store)
    for (const fields of [
      {},
      { is_hidden: true },
      { slug: 'three' },
      { enabled_until: '2020-01-01T00:00:00Z' },
      {},
      {},
    ]) {
      six.push(await product(fields))
    }
    await openShop(await createStore()).product()
  })

  it('returns the products of the store, newest first, or oldest first with asc=true', async () => {
    expect((await store.get('/products')).body).toEqual(six.toReversed())
    expect((await store.get('/products?asc=true')).body).toEqual(six)
    expect((await (await createStore()).get('/products')).body).toEqual([])
  })

  it.each(pagesOfSix)('returns %s', async (_, query, expected) => {
    expect(await listIndexes(store, '/products', six, query)).toEqual(expected)
  })

  it('can be paged to the end by its Link headers', async () => {
    expect(await listByLinks(store, '/products', six, 'limit=2')).toEqual([5, 4, 3, 2, 1, 0])
  })
})
