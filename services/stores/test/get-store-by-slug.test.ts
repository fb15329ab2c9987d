import { faultOf, operator } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { describe, expect, it } from 'vitest'
import { createTestStore, useStores } from './harness.ts'

const stores = useStores()

const byPages = { ...operator(), actor: { type: ActorType.ANONYMOUS } }

describe('GetStoreBySlug', () => {
  it('returns the store with the slug, without a store in the call', async () => {
    const [store] = await Promise.all([createTestStore(stores), createTestStore(stores)])
    expect((await stores.client.getStoreBySlug({ slug: store.slug }, byPages)).store).toEqual(store)
  })

  it.each(['', 'nothing', 'x'.repeat(100_000), "'; drop table store; --", '\0'])('knows no store %#', async (slug) => {
    expect(await faultOf(stores.client.getStoreBySlug({ slug }, byPages))).toMatchObject({ code: 'not-found' })
  })
})
