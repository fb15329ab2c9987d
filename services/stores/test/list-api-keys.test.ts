import { faultOf, operator, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestStore, useStores } from './harness.ts'

const stores = useStores()

describe('ListApiKeys', () => {
  it('returns the keys of the store, oldest first, including revoked ones', async () => {
    const [{ id: storeId }, other] = await Promise.all([createTestStore(stores), createTestStore(stores)])
    await stores.client.createApiKey({ storeId: other.id, name: 'foreign' }, operator())
    const one = await stores.client.createApiKey({ storeId, name: 'one' }, operator())
    const two = await stores.client.createApiKey({ storeId, name: 'two' }, operator())
    const revoked = await stores.client.revokeApiKey({ apiKeyId: one.apiKey?.id ?? '' }, operator())
    expect((await stores.client.listApiKeys({ storeId }, operator())).apiKeys).toEqual([revoked.apiKey, two.apiKey])
  })

  it('returns an empty list for a store without keys', async () => {
    const { id: storeId } = await createTestStore(stores)
    expect((await stores.client.listApiKeys({ storeId }, operator())).apiKeys).toEqual([])
  })

  it('returns not-found for an unknown store', async () => {
    const call = stores.client.listApiKeys({ storeId: '411486491630370816' }, operator())
    expect(await faultOf(call)).toMatchObject({ code: 'not-found' })
  })

  it('rejects a malformed store id', async () => {
    expect(await violationsOf(stores.client.listApiKeys({ storeId: '' }, operator()))).toEqual(['store_id required'])
    expect(await violationsOf(stores.client.listApiKeys({ storeId: 'x' }, operator()))).toEqual(['store_id format'])
  })
})
