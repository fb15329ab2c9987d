import { fresh, openShop, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()
const shop = openShop(store)

interface CatalogProduct {
  id: string
  name: string
  image_url: string | null
}

const read = <Body>(path: string, headers: Record<string, string> = {}) =>
  store.shop<Body>('GET', `/store${path}`, { headers })

describe('the catalog', () => {
  it('shows a browser what it can buy, and nothing else', async () => {
    const tag = await shop.tag({ name: 'Ranks', slug: fresh.code(), sort_order: 1 })
    const variable = await shop.variable({ type: 'number' })
    const commands = [{ stage: 'on_purchase', content: 'say secret-command', online_only: false }]
    const terms = { tags: [tag.id], commands, metadata: { secret: 'secret-metadata' }, slug: fresh.code() }
    const image_url = 'https://shop.example.com/vip.png'
    const vip = await shop.product({ ...terms, image_url, custom_variable_ids: [variable.id], label: 'Größe' })
    await shop.product({ ...terms, slug: null, enabled: false })
    await shop.product({ ...terms, slug: null, is_hidden: true })

    const query = `/products?tag=${tag.slug}&search=${encodeURIComponent('GRÖße')}`
    const list = await read<CatalogProduct[]>(query)
    expect(list.status, list.text).toBe(200)
    expect(list.body.map(({ id }) => id)).toEqual([vip.id])
    expect(list.body[0]?.image_url).toContain(`/images/${store.id}/`)
    const detail = await read(`/products/${vip.slug}`)
    expect(detail.body).toMatchObject({ id: vip.id, custom_variables: [{ identifier: variable.identifier }] })
    for (const { text } of [list, detail]) expect(text).not.toMatch(/secret|created_by|shop\.example\.com/)
    expect((await read('/tags')).body).toContainEqual(expect.objectContaining({ id: tag.id, name: 'Ranks' }))
    const etag = String(list.headers.etag)
    expect((await read(query, { 'if-none-match': etag })).status).toBe(304)
  })

  it('is read page by page', async () => {
    const tag = await shop.tag()
    const ids: string[] = []
    for (const sort_order of [2, 1, 1]) ids.push((await shop.product({ tags: [tag.id], sort_order })).id)
    const first = await read<CatalogProduct[]>(`/products?tag=${tag.id}&limit=2`)
    expect(first.body.map(({ id }) => id)).toEqual([ids[1], ids[2]])
    const next = /<([^>]*)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
    const second = await read<CatalogProduct[]>(next.slice(next.indexOf('/products')))
    expect(second.body.map(({ id }) => id)).toEqual([ids[0]])
  })
})
