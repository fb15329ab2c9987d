import { operator } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestStore, useStores } from './harness.ts'

const stores = useStores()

describe('ListStores', () => {
  it('answers nothing while there is none', async () => {
    expect((await stores.client.listStores({}, operator())).stores).toEqual([])
  })

  it('answers every store, oldest first', async () => {
    const made = [await createTestStore(stores), await createTestStore(stores), await createTestStore(stores)]
    expect((await stores.client.listStores({}, operator())).stores).toEqual(made)
  })
})
