import { operator } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestStore, useStores } from './harness.ts'

const stores = useStores()

describe('ListStores', () => {
  it('returns an empty list without stores', async () => {
    expect((await stores.client.listStores({}, operator())).stores).toEqual([])
  })

  it('returns every store, oldest first', async () => {
    const created = [await createTestStore(stores), await createTestStore(stores), await createTestStore(stores)]
    expect((await stores.client.listStores({}, operator())).stores).toEqual(created)
  })
})
