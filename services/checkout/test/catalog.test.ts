import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import type { ListCatalogProductsRequest } from '@storekeep/proto/checkout/v1/products_service'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { inStore, useProducts } from './harness.ts'
import { everything, least, type Terms } from './product-inputs.ts'

const products = useProducts()

type Options = ReturnType<typeof inStore>

async function add(options: Options, terms: Terms = {}, listing: { enabled?: boolean; sortOrder?: number } = {}) {
  const { product } = await products.client.createProduct({ product: { ...least, ...terms }, ...listing }, options)
  return product?.id ?? ''
}

async function list(options: Options, query: Partial<Omit<ListCatalogProductsRequest, '$typeName'>> = {}) {
  const { products: found, page } = await products.client.listCatalogProducts({ limit: 50, ...query }, options)
  return { ids: found.map(({ id }) => id), hasNext: page?.hasNext, hasPrevious: page?.hasPrevious }
}

const get = async (options: Options, idOrSlug: string) =>
  (await products.client.getCatalogProduct({ idOrSlug }, options)).product

const seconds = (count: number) => timestampFromDate(new Date(products.clock.now().getTime() + count * 1000))

describe('ListCatalogProducts', () => {
  it('returns the products of the store in its order, then oldest first', async () => {
    const options = inStore()
    const last = await add(options, {}, { sortOrder: 7 })
    const [first, second] = [await add(options), await add(options)]
    const middle = await add(options, {}, { sortOrder: 3 })
    await add(inStore())
    expect(await list(options)).toEqual({ ids: [first, second, middle, last], hasNext: false, hasPrevious: false })
  })

  it('leaves out disabled and hidden products, and products that are not on sale', async () => {
    const options = inStore()
    const shown = await add(options, { enabledAt: seconds(-1), enabledUntil: seconds(60) })
    await add(options, {}, { enabled: false })
    await add(options, { isHidden: true })
    await add(options, { enabledAt: seconds(60) })
    await add(options, { enabledUntil: seconds(0) })
    expect((await list(options)).ids).toEqual([shown])
  })

  it('pages forward and backward, also past products with the same place', async () => {
    const options = inStore()
    const ids: string[] = []
    for (const sortOrder of [1, 1, 1, 2, 2]) ids.push(await add(options, {}, { sortOrder }))
    const [a, b, c, d, e] = ids
    expect(await list(options, { limit: 2 })).toEqual({ ids: [a, b], hasNext: true, hasPrevious: false })
    expect(await list(options, { limit: 2, after: b ?? '' })).toEqual({ ids: [c, d], hasNext: true, hasPrevious: true })
    expect(await list(options, { limit: 2, after: d ?? '' })).toEqual({ ids: [e], hasNext: false, hasPrevious: true })
    expect(await list(options, { limit: 2, before: d ?? '' })).toEqual({
      ids: [b, c],
      hasNext: true,
      hasPrevious: true,
    })
    expect((await list(options, { after: a ?? '', before: d ?? '' })).ids).toEqual([b, c])
  })

  it('continues after a product that is no longer shown', async () => {
    const options = inStore()
    const [first, second] = [await add(options), await add(options)]
    await products.client.updateProduct(
      { productId: first, enabled: false, updateMask: { paths: ['enabled'] } },
      options,
    )
    expect((await list(options, { after: first })).ids).toEqual([second])
  })

  it.each<[Partial<Omit<ListCatalogProductsRequest, '$typeName'>>, string[]]>([
    [{ limit: 0 }, ['limit min']],
    [{ limit: 101, after: 'x' }, ['limit max', 'after format']],
    [{ after: randomId() }, ['after reference']],
    [{ before: randomId() }, ['before reference']],
    [{ search: '' }, ['search length']],
    [{ search: 'x'.repeat(201) }, ['search length']],
    [{ tag: '' }, ['tag length']],
  ])('rejects %j', async (query, expected) => {
    expect(await violationsOf(list(inStore(), query))).toEqual(expected)
  })

  it('filters by the id of a tag, with and without a record, and by its slug', async () => {
    const options = inStore()
    const [tagId, other] = [randomId(), randomId()]
    await products.database.query(sql`
      insert into tag (id, store_id, name, slug, sort_order, enabled, created_by, created_at)
      values (${tagId}, ${options.storeId}, 'Ranks', 'Ranks', 0, true, 'internal', now())`)
    const both = await add(options, { tags: [other, tagId] })
    const one = await add(options, { tags: [other] })
    await add(options)
    expect((await list(options, { tag: tagId })).ids).toEqual([both])
    expect((await list(options, { tag: 'rANKS' })).ids).toEqual([both])
    expect((await list(options, { tag: other })).ids).toEqual([both, one])
    expect((await list(options, { tag: 'unknown' })).ids).toEqual([])
    expect((await list(inStore(), { tag: 'ranks' })).ids).toEqual([])
  })

  it('searches in names and labels, ignoring case and accents', async () => {
    const options = inStore()
    const sword = await add(options, { name: 'Épée d’or', label: 'Neu: Größe XL' })
    const plain = await add(options, { name: '100% Gold_Sword' })
    const found = async (search: string) => (await list(options, { search })).ids
    expect(await found('EPEE')).toEqual([sword])
    expect(await found('gròße')).toEqual([sword])
    expect(await found('0% g')).toEqual([plain])
    expect(await found('d_s')).toEqual([plain])
    expect(await found('%')).toEqual([plain])
    expect(await found('ornamental')).toEqual([])
    await products.client.updateProduct(
      { productId: plain, product: { label: 'épique' }, updateMask: { paths: ['label'] } },
      options,
    )
    expect(await found('epique')).toEqual([plain])
  })

  it('returns nothing that only the servers of the store use', async () => {
    const options = inStore()
    await add(options, { ...everything, isHidden: false, enabledAt: seconds(-1), enabledUntil: seconds(60) })
    const { products: found } = await products.client.listCatalogProducts({ limit: 1 }, options)
    const { commands, metadata, enabledAt, isHidden, isCouponsDisabled, isAffiliateLinksDisabled, ...shown } =
      everything
    const { storeStockLimit, customerStockLimit, stockLimitDoNotIncludeRemoved, ...terms } = shown
    expect(found).toMatchObject([{ ...terms, enabledUntil: expect.anything(), stockAvailable: 1000n }])
    const text = JSON.stringify(found, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    for (const secret of ['give {customer.name}', 'grant vip', 'createdBy']) expect(text).not.toContain(secret)
  })

  it('reads a page of a large store from an index', async () => {
    const options = inStore()
    const id = await add(options, { tags: ['7'] })
    await products.database.query(sql`
      insert into product select copy.* from product, generate_series(1, 5000) number,
        lateral jsonb_populate_record(product, jsonb_build_object('id', product.id + number, 'sort_order', number)) copy
      where product.store_id = ${options.storeId} and product.id = ${id}`)
    await products.database.query(sql`analyze product`)
    const lines = await products.database.query<{ 'QUERY PLAN': string }>(sql`
      explain select id from product where store_id = ${options.storeId} and enabled and not is_hidden
      and (sort_order, id) > (100, 0::bigint) order by sort_order, id limit 51`)
    expect(lines.map((line) => line['QUERY PLAN']).join('\n')).toContain('product_of_catalog')
    expect((await list(options, { limit: 2 })).ids).toHaveLength(2)
  })
})

describe('GetCatalogProduct', () => {
  it('finds a product by its id and its slug, ignoring case', async () => {
    const options = inStore()
    const id = await add(options, { slug: 'VIP-rank', isHidden: true })
    expect(await get(options, id)).toMatchObject({ id, name: 'VIP rank', price: 999n })
    expect(await get(options, 'vip-RANK')).toEqual(await get(options, id))
  })

  it('prefers an id to a slug of the same digits', async () => {
    const options = inStore()
    const id = await add(options)
    const other = await add(options, { slug: id })
    const digits = await add(options, { slug: '42' })
    expect((await get(options, id))?.id).toBe(id)
    expect((await get(options, other))?.id).toBe(other)
    expect((await get(options, '42'))?.id).toBe(digits)
  })

  it('returns not-found for unknown, disabled and foreign products, and for products that are not on sale', async () => {
    const options = inStore()
    const ids = [
      randomId(),
      'unknown',
      await add(inStore()),
      await add(options, {}, { enabled: false }),
      await add(options, { enabledAt: seconds(60) }),
      await add(options, { enabledUntil: seconds(0) }),
    ]
    for (const id of ids) expect(await faultOf(get(options, id))).toMatchObject({ code: 'not-found' })
  })
})
