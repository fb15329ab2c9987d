import type { MessageInitShape } from '@bufbuild/protobuf'
import { readPages, violationsOf } from '@storekeep/common/testing'
import type { ListProductsRequestSchema } from '@storekeep/proto/checkout/v1/products_service'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { inStore, useProducts } from './harness.ts'
import { createTestProduct, everything } from './product-inputs.ts'

const products = useProducts()
const options = inStore()
let ids: string[]

beforeAll(async () => {
  ids = []
  for (const terms of [everything, { name: 'Two' }, { isHidden: true }, {}]) {
    ids.push((await createTestProduct(products, options, terms)).id)
  }
  await createTestProduct(products, inStore(), everything)
})

type Request = MessageInitShape<typeof ListProductsRequestSchema>

describe('ListProducts', () => {
  it('returns the complete products of the store and no other, newest first', async () => {
    const { products: listed } = await products.client.listProducts({}, options)
    expect(listed.map(({ id }) => id)).toEqual(ids.toReversed())
    expect(listed.at(-1)?.terms).toMatchObject(everything)
    expect((await products.client.listProducts({}, inStore())).products).toEqual([])
  })

  it('pages in both directions and reports whether more items exist', async () => {
    const page = async (request: Request['page']) => {
      const response = await products.client.listProducts({ page: request }, options)
      return [response.products.map(({ id }) => ids.indexOf(id)), response.page?.hasPrevious, response.page?.hasNext]
    }
    expect(await page({ limit: 2 })).toEqual([[3, 2], false, true])
    expect(await page({ limit: 2, after: ids[2] })).toEqual([[1, 0], true, false])
    expect(await page({ limit: 1, before: ids[1] })).toEqual([[2], true, true])
    expect(await page({ limit: 2, asc: true, after: ids[0] })).toEqual([[1, 2], true, true])
    expect(await page({ limit: 9, after: ids[3], before: ids[0] })).toEqual([[2, 1], false, false])
  })

  it('finds products by their ids and current versions', async () => {
    const [first, second] = (await products.client.listProducts({ page: { limit: 2 } }, options)).products
    const find = async (...filter: (string | undefined)[]) => {
      const request = { ids: filter.map((id = '') => id) }
      return (await products.client.listProducts(request, options)).products.map(({ id }) => id)
    }
    expect(await find(first?.id, second?.versionId, '1')).toEqual([first?.id, second?.id])
    const { product } = await products.client.updateProduct(
      { productId: second?.id ?? '', product: { name: 'New' }, updateMask: { paths: ['name'] } },
      options,
    )
    expect([await find(second?.versionId), await find(product?.versionId)]).toEqual([[], [second?.id]])
    expect((await products.client.listProducts({ ids: [first?.id ?? ''] }, inStore())).products).toEqual([])
    const rejected = products.client.listProducts({ ids: ['1', 'x'] }, options)
    expect(await violationsOf(rejected)).toEqual(['ids.1 format'])
    const tooMany = products.client.listProducts({ ids: Array(101).fill('1') }, options)
    expect(await violationsOf(tooMany)).toEqual(['ids max'])
  })

  it('returns a page of the longest possible products in parts', async () => {
    const other = inStore()
    const value = '🦀'.repeat(500)
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${'🦀'.repeat(62)}${n}`, value]))
    const { id } = await createTestProduct(products, other, { metadata })
    const copies = await products.database.query<{ id: string }>(sql`
      with copy as (
        insert into product
        select copy.* from product, generate_series(1, 74) number,
          lateral jsonb_populate_record(product, jsonb_build_object('id', product.id + number)) copy
        where product.store_id = ${other.storeId} and product.id = ${id} returning id
      )
      select id from copy order by id`)
    const pages = await readPages(async (page) => {
      const response = await products.client.listProducts({ page }, other)
      return { items: response.products, page: response.page }
    })
    expect(pages.flat()).toEqual([id, ...copies.map((copy) => copy.id)])
    expect(pages.length).toBeGreaterThan(1)
  })

  it('rejects an invalid page', async () => {
    expect(await violationsOf(products.client.listProducts({ page: { limit: 101 } }, options))).toEqual(['limit max'])
  })
})
