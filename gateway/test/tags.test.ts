import { describe, expect, it } from 'vitest'
import { itemsOf, useGateway } from './harness.ts'
import { newId } from './ids.ts'

const gateway = useGateway()
const everything = {
  name: 'Ranks',
  slug: 'Ranks-2',
  image_url: 'https://shop.example.com/ranks.png',
  sort_order: 7,
  enabled: false,
}

const invalidFields: [object, string[]][] = [
  [{ name: '' }, ['name length']],
  [{ name: null }, ['name type']],
  [{ slug: 'a b' }, ['slug pattern']],
  [{ slug: 'x'.repeat(65) }, ['slug length']],
  [{ image_url: 'ftp://shop.example.com/a.png' }, ['image_url format']],
  [{ sort_order: 1.5 }, ['sort_order type']],
  [{ sort_order: 1_000_001 }, ['sort_order max']],
  [{ enabled: 'no' }, ['enabled type']],
]

describe('POST /tags', () => {
  it('passes every field to the service', async () => {
    expect((await gateway.newStore().send('POST', '/tags', { json: everything })).status).toBe(200)
    expect(gateway.received()).toMatchObject({
      tag: { name: 'Ranks', slug: 'Ranks-2', imageUrl: everything.image_url, sortOrder: 7, enabled: false },
    })
  })

  it('requires only a name, and accepts null for the other fields', async () => {
    const nothing = { slug: null, image_url: null, sort_order: null, enabled: null }
    for (const json of [{ name: 'Ranks' }, { name: 'Ranks', ...nothing }]) {
      expect((await gateway.newStore().send('POST', '/tags', { json })).status).toBe(200)
      expect(Object.keys((gateway.received() as { tag: object }).tag)).not.toContain('slug')
    }
    expect(itemsOf(await gateway.newStore().send('POST', '/tags', { json: {} }))).toEqual(['name required'])
  })

  it.each(invalidFields)('rejects %j', async (wrong, items) => {
    const response = await gateway.newStore().send('POST', '/tags', { json: { name: 'Ranks', ...wrong } })
    expect(itemsOf(response)).toEqual(items)
  })
})

describe('PATCH /tags/{tagId}', () => {
  it.each<[object, string[]]>([
    [{}, []],
    [{ slug: null, image_url: null }, ['image_url', 'slug']],
    [everything, Object.keys(everything)],
  ])('updates the fields in %j', async (json, paths) => {
    const tagId = newId()
    expect((await gateway.newStore().send('PATCH', `/tags/${tagId}`, { json })).status).toBe(200)
    const { updateMask } = gateway.received() as { updateMask: { paths: string[] } }
    expect(gateway.received()).toMatchObject({ tagId })
    expect(updateMask.paths.toSorted()).toEqual(paths.toSorted())
  })

  it.each([...invalidFields, [{ sort_order: null }, ['sort_order type']], [{ enabled: null }, ['enabled type']]] as [
    object,
    string[],
  ][])('rejects %j', async (json, items) => {
    expect(itemsOf(await gateway.newStore().send('PATCH', `/tags/${newId()}`, { json }))).toEqual(items)
  })
})

describe('a tag', () => {
  it('is returned with every field, and null for absent values', async () => {
    const store = gateway.newStore()
    const body = {
      id: '5',
      store_id: store.id,
      name: 'Ranks',
      slug: null,
      image_url: null,
      sort_order: 0,
      enabled: true,
      created_by: { type: 'api_key', id: store.keyId },
      created_at: '2026-11-20T14:35:17.042Z',
      updated_by: null,
      updated_at: null,
    }
    expect((await store.send('GET', '/tags/5')).body).toEqual(body)
    expect((await store.send('GET', '/tags')).body).toEqual([{ ...body, id: expect.any(String) }])
    expect(itemsOf(await store.send('GET', '/tags?limit=1'))).toEqual(['limit enum'])
    expect((await store.send('DELETE', '/tags/5')).status).toBe(204)
  })
})
