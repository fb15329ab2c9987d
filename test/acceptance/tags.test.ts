import { expectFault, fresh, openShop, type TagBody, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()
const shop = openShop(store)

describe('tags', () => {
  it('are created, read, changed and deleted', async () => {
    const input = { name: 'Ranks', slug: fresh.code(), image_url: 'https://shop.example.com/ranks.png', sort_order: 5 }
    const created = await store.post<TagBody>('/tags', input)
    expect(created.status, created.text).toBe(200)
    expect(created.body).toEqual({
      ...input,
      id: expect.stringMatching(/^[1-9]\d{17,18}$/),
      store_id: store.id,
      enabled: true,
      created_by: { type: 'api_key', id: store.apiKeyId },
      created_at: expect.any(String),
      updated_by: null,
      updated_at: null,
    })
    const path = `/tags/${created.body.id}`
    expect((await store.get(path)).body).toEqual(created.body)
    const changed = await store.patch<TagBody>(path, { enabled: false, image_url: null })
    expect(changed.body).toMatchObject({ ...input, enabled: false, image_url: null })
    expect((await store.get<TagBody[]>('/tags')).body).toContainEqual(changed.body)
    expect((await store.delete(path)).status).toBe(204)
    expectFault(await store.get(path), 'not-found')
  })

  it('can be named by products, as can ids without a tag', async () => {
    const tag = await shop.tag()
    const product = await shop.product({ tags: [tag.id, unknownId] })
    await store.delete(`/tags/${tag.id}`)
    expect((await store.get(`/products/${product.id}`)).body).toMatchObject({ tags: [tag.id, unknownId] })
  })

  it('reject a taken slug', async () => {
    const { slug } = await shop.tag({ slug: fresh.code() })
    expectFault(await store.post('/tags', { name: 'Kits', slug: slug?.toUpperCase() }), 'conflict', ['slug'])
  })
})
