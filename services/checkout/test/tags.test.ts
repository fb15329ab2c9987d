import { isFlakeId } from '@storekeep/common/flake'
import { eventsOf, faultOf, randomId, useService, violationsOf, withKey } from '@storekeep/common/testing'
import { file_storekeep_checkout_v1_events as events } from '@storekeep/proto/checkout/v1/events'
import type { TagInputSchema } from '@storekeep/proto/checkout/v1/tag'
import { TagsService } from '@storekeep/proto/checkout/v1/tags_service'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { tagLimits } from '@storekeep/proto/conventions/limits'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { checkout as service } from '../src/service.ts'
import type { Init } from './fake-others.ts'
import { inStore, settings } from './harness.ts'

const tags = useService({ service, definition: TagsService, events, readConfig, settings })

type Input = Init<typeof TagInputSchema>
const everything = {
  name: 'Ranks 🦊',
  slug: 'Ranks-2',
  imageUrl: 'https://shop.example/ranks.png',
  sortOrder: 1_000_000,
  enabled: false,
} satisfies Input

async function newTag(options = inStore(), input: Input = { name: 'Ranks' }) {
  const { tag } = await tags.client.createTag({ tag: input }, options)
  if (!tag) throw new Error('CreateTag returned no tag')
  return tag
}

describe('CreateTag', () => {
  it('creates a tag with every field, and publishes it', async () => {
    const options = inStore()
    const tag = await newTag(options, everything)
    expect(tag).toMatchObject({ ...everything, storeId: options.storeId, version: 1n })
    expect(tag.createdBy).toMatchObject({ type: ActorType.API_KEY })
    expect(isFlakeId(tag.id)).toBe(true)
    expect((await tags.client.getTag({ tagId: tag.id }, options)).tag).toEqual(tag)
    const [event] = await eventsOf(tags, tag.id)
    expect(event).toMatchObject({ type: 'tag.created', version: '1', message: { tag } })
  })

  it('requires only a name', async () => {
    const tag = await newTag()
    expect(tag).toMatchObject({ name: 'Ranks', sortOrder: 0, enabled: true })
    expect(tag.slug ?? tag.imageUrl).toBeUndefined()
  })

  it.each<[Input, string[]]>([
    [{}, ['name length']],
    [{ name: 'x'.repeat(129) }, ['name length']],
    [{ name: 'x', slug: 'a b' }, ['slug pattern']],
    [{ name: 'x', imageUrl: 'http://shop.example/a.png' }, ['image_url format']],
    [{ name: 'x', sortOrder: -1 }, ['sort_order min']],
    [{ name: '', sortOrder: 1_000_001 }, ['name length', 'sort_order max']],
  ])('rejects %j', async (input, expected) => {
    expect(await violationsOf(newTag(inStore(), input))).toEqual(expected)
  })

  it('rejects a slug that the store has, ignoring case, and accepts it in another store', async () => {
    const options = inStore()
    await newTag(options, { name: 'one', slug: 'taken' })
    expect(await violationsOf(newTag(options, { name: 'other', slug: 'TAKEN' }))).toEqual(['slug unique'])
    expect((await newTag(inStore(), { name: 'other', slug: 'taken' })).slug).toBe('taken')
  })

  it('returns the stored response for a repeated key', async () => {
    const options = withKey(inStore())
    const first = await newTag(options)
    expect(await newTag(options)).toEqual(first)
    expect(await eventsOf(tags, first.id)).toHaveLength(1)
  })

  it(`never creates more than ${tagLimits.perStore} tags, also concurrently`, async () => {
    const options = inStore()
    const { id } = await newTag(options)
    await tags.database.query(sql`
      insert into tag select copy.* from tag, generate_series(1, ${tagLimits.perStore - 3}::int) number,
        lateral jsonb_populate_record(tag, jsonb_build_object('id', tag.id + number)) copy
      where tag.store_id = ${options.storeId} and tag.id = ${id}`)
    const created = await Promise.allSettled(Array.from({ length: 8 }, () => newTag(options)))
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await faultOf(newTag(options))).toMatchObject({ code: 'conflict' })
    expect((await tags.client.listTags({}, options)).tags).toHaveLength(tagLimits.perStore)
  })
})

describe('ListTags', () => {
  it('returns all tags of the store, newest first', async () => {
    const options = inStore()
    const [first, second] = [await newTag(options), await newTag(options, { name: 'Kits', enabled: false })]
    await newTag()
    expect((await tags.client.listTags({}, options)).tags).toEqual([second, first])
  })
})

describe('UpdateTag', () => {
  const update = async (options: ReturnType<typeof inStore>, tagId: string, paths: string[], tag: Input = {}) =>
    (await tags.client.updateTag({ tagId, tag, updateMask: { paths } }, options)).tag

  it('changes only the fields in the mask and publishes the result', async () => {
    const options = inStore()
    const before = await newTag(options)
    tags.clock.advance(1000)
    const after = await update(options, before.id, ['name'], { ...everything, name: 'Kits' })
    expect(after).toMatchObject({ ...before, name: 'Kits', version: 2n, updatedAt: expect.anything() })
    const paths = ['name', 'slug', 'image_url', 'sort_order', 'enabled']
    expect(await update(options, before.id, paths, everything)).toMatchObject(everything)
    const cleared = await update(options, before.id, paths.slice(1))
    expect(cleared).toMatchObject({ name: everything.name, sortOrder: 0, enabled: true, version: 4n })
    expect(cleared?.slug ?? cleared?.imageUrl).toBeUndefined()
    expect((await eventsOf(tags, before.id)).map(({ type }) => type)).toEqual([
      'tag.created',
      ...Array(3).fill('tag.updated'),
    ])
  })

  it('changes nothing for an empty mask and unchanged values', async () => {
    const options = inStore()
    const before = await newTag(options, everything)
    expect(await update(options, before.id, [])).toEqual(before)
    expect(await update(options, before.id, ['name', 'enabled'], everything)).toEqual(before)
    expect(await eventsOf(tags, before.id)).toHaveLength(1)
  })

  it('rejects invalid fields, unknown ones, a taken slug, and tags of other stores', async () => {
    const options = inStore()
    await newTag(options, { name: 'one', slug: 'taken' })
    const { id } = await newTag(options)
    expect(await violationsOf(update(options, id, ['name']))).toEqual(['name length'])
    expect(await faultOf(update(options, id, ['id']))).toMatchObject({ code: 'bad-request' })
    expect(await violationsOf(update(options, id, ['slug'], { slug: 'Taken' }))).toEqual(['slug unique'])
    expect(await faultOf(update(inStore(), id, ['name'], { name: 'x' }))).toMatchObject({ code: 'not-found' })
  })
})

describe('DeleteTag', () => {
  it('deletes the tag, frees its slug, and publishes its last state', async () => {
    const options = inStore()
    const tag = await newTag(options, everything)
    await tags.client.deleteTag({ tagId: tag.id }, options)
    for (const call of [
      tags.client.getTag({ tagId: tag.id }, options),
      tags.client.deleteTag({ tagId: tag.id }, options),
    ])
      expect(await faultOf(call)).toMatchObject({ code: 'not-found' })
    await newTag(options, everything)
    const [, event] = await eventsOf(tags, tag.id)
    expect(event).toMatchObject({ type: 'tag.deleted', message: { tag: { ...tag, version: 2n } } })
  })

  it('returns not-found for an unknown tag and one of another store', async () => {
    const { id } = await newTag()
    for (const tagId of [id, randomId()]) {
      expect(await faultOf(tags.client.deleteTag({ tagId }, inStore()))).toMatchObject({ code: 'not-found' })
    }
    expect(await violationsOf(tags.client.getTag({ tagId: 'x' }, inStore()))).toEqual(['tag_id format'])
  })
})
