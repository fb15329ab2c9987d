import { timestampDate } from '@bufbuild/protobuf/wkt'
import { eventsOf, faultOf, operator, retryUnavailable, violationsOf, withKey } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestStore, useStores } from './harness.ts'

const stores = useStores()
const revoke = (apiKeyId: string, options = operator()) => stores.client.revokeApiKey({ apiKeyId }, options)

async function aKey() {
  const { id: storeId } = await createTestStore(stores)
  const { key, apiKey } = await stores.client.createApiKey({ storeId, name: 'x' }, operator())
  return { key, id: apiKey?.id ?? '' }
}

describe('RevokeApiKey', () => {
  it('returns the revoked key, which no longer authenticates', async () => {
    const { key, id } = await aKey()
    const { apiKey } = await revoke(id)
    expect(apiKey).toMatchObject({ id, version: 2n })
    const age = Date.now() - (apiKey?.revokedAt ? timestampDate(apiKey.revokedAt).getTime() : 0)
    expect(Math.abs(age)).toBeLessThan(60_000)
    expect(await faultOf(stores.client.verifyApiKey({ key }, operator()))).toMatchObject({ code: 'unauthorized' })
  })

  it('changes nothing when repeated', async () => {
    const { id } = await aKey()
    const first = await revoke(id)
    stores.clock.advance(1000)
    expect(await revoke(id)).toEqual(first)
    const options = withKey(operator())
    expect(await revoke(id, options)).toEqual(first)
    expect(await revoke(id, options)).toEqual(first)
    expect(await eventsOf(stores, id)).toHaveLength(2)
  })

  it('takes effect once for 16 concurrent calls', async () => {
    const { id } = await aKey()
    const responses = await Promise.all(Array.from({ length: 16 }, () => retryUnavailable(() => revoke(id))))
    for (const response of responses) expect(response).toEqual(responses[0])
    expect(await eventsOf(stores, id)).toHaveLength(2)
  })

  it('revokes one of the keys of a store', async () => {
    const { id: storeId } = await createTestStore(stores)
    const one = await stores.client.createApiKey({ storeId, name: 'one' }, operator())
    const two = await stores.client.createApiKey({ storeId, name: 'two' }, operator())
    await revoke(one.apiKey?.id ?? '')
    await stores.client.verifyApiKey({ key: two.key }, operator())
  })

  it('returns not-found for an unknown key', async () => {
    expect(await faultOf(revoke('411486491630370816'))).toMatchObject({ code: 'not-found' })
  })

  it('rejects a malformed id', async () => {
    expect(await violationsOf(revoke(''))).toEqual(['api_key_id required'])
    expect(await violationsOf(revoke('x'))).toEqual(['api_key_id format'])
  })

  it('publishes the key as revoked', async () => {
    const { id } = await aKey()
    const { apiKey } = await revoke(id)
    const events = await eventsOf(stores, id)
    expect(events.map(({ type }) => type)).toEqual(['api_key.created', 'api_key.revoked'])
    expect(events[1]).toMatchObject({ version: '2', message: { apiKey } })
  })
})
