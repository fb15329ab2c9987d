import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { eventsOf, faultOf, operator, retryUnavailable, violationsOf, withKey } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { decodeApiKey } from '../src/api-keys/domain/api-key-codec.ts'
import { scopes } from '../src/api-keys/domain/scope.ts'
import { createTestStore, useStores } from './harness.ts'

const stores = useStores()

async function aStore(): Promise<string> {
  return (await createTestStore(stores)).id
}

describe('CreateApiKey', () => {
  it('returns a working key and its record', async () => {
    const storeId = await aStore()
    const request = { storeId, name: ' game server ', scopes: ['customers:write', 'bans:read'] }
    const { key, apiKey } = await stores.client.createApiKey(request, operator())
    expect(apiKey).toMatchObject({
      storeId,
      name: 'game server',
      scopes: ['bans:read', 'customers:write'],
      version: 1n,
    })
    expect(decodeApiKey(key)?.id).toBe(apiKey?.id)
    expect(await stores.client.verifyApiKey({ key }, operator())).toMatchObject({ keyId: apiKey?.id, storeId })
  })

  it('grants every scope to a key without scopes', async () => {
    const { apiKey } = await stores.client.createApiKey({ storeId: await aStore(), name: 'all' }, operator())
    expect(apiKey?.scopes).toEqual(scopes)
  })

  it('reports every invalid field', async () => {
    const request = {
      storeId: await aStore(),
      name: '',
      scopes: ['bans:read', 'bans:delete'],
      expiresAt: timestampFromDate(new Date(0)),
    }
    expect(await violationsOf(stores.client.createApiKey(request, operator()))).toEqual([
      'name required',
      'scopes.1 enum',
      'expires_at min',
    ])
  })

  it.each([
    ['', 'required'],
    ['x', 'format'],
    ['0', 'format'],
    ['9223372036854775808', 'format'],
  ])('rejects the store id "%s"', async (storeId, validation) => {
    const call = stores.client.createApiKey({ storeId, name: 'x' }, operator())
    expect(await violationsOf(call)).toEqual([`store_id ${validation}`])
  })

  it('returns not-found for an unknown store', async () => {
    const call = stores.client.createApiKey({ storeId: '411486491630370816', name: 'x' }, operator())
    expect(await faultOf(call)).toMatchObject({ code: 'not-found' })
  })

  it('rejects a third live key until one is revoked or expired', async () => {
    const storeId = await aStore()
    const expiresAt = timestampFromDate(new Date(stores.clock.now().getTime() + 60_000))
    const { apiKey } = await stores.client.createApiKey({ storeId, name: 'one' }, operator())
    await stores.client.createApiKey({ storeId, name: 'two', expiresAt }, operator())
    const third = () => stores.client.createApiKey({ storeId, name: 'three' }, operator())
    expect(await faultOf(third())).toMatchObject({ code: 'conflict' })

    await stores.client.revokeApiKey({ apiKeyId: apiKey?.id ?? '' }, operator())
    await third()
    expect(await faultOf(third())).toMatchObject({ code: 'conflict' })

    stores.clock.advance(60_000)
    await third()
    expect(await faultOf(third())).toMatchObject({ code: 'conflict' })
  })

  it('creates exactly two keys for 16 concurrent calls', async () => {
    const storeId = await aStore()
    const calls = Array.from({ length: 16 }, (_, n) => {
      const keyed = withKey(operator())
      return retryUnavailable(() => stores.client.createApiKey({ storeId, name: `${n}` }, keyed))
    })
    const settled = await Promise.allSettled(calls)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' })
    expect((await stores.client.listApiKeys({ storeId }, operator())).apiKeys).toHaveLength(2)
  })

  it('creates keys for 16 stores concurrently', async () => {
    const ids = await Promise.all(Array.from({ length: 16 }, aStore))
    await Promise.all(
      ids.map((storeId) => {
        const keyed = withKey(operator())
        return retryUnavailable(() => stores.client.createApiKey({ storeId, name: 'x' }, keyed))
      }),
    )
  })

  it('returns the same key for a repeated Idempotency-Key', async () => {
    const storeId = await aStore()
    const options = withKey(operator())
    const first = await stores.client.createApiKey({ storeId, name: 'x' }, options)
    expect(await stores.client.createApiKey({ storeId, name: 'x' }, options)).toEqual(first)
    expect((await stores.client.listApiKeys({ storeId }, operator())).apiKeys).toHaveLength(1)
  })

  it('returns the same key for a repeated Idempotency-Key even after it expired', async () => {
    const storeId = await aStore()
    const options = withKey(operator())
    const expiresAt = timestampFromDate(new Date(stores.clock.now().getTime() + 60_000))
    const first = await stores.client.createApiKey({ storeId, name: 'x', expiresAt }, options)
    stores.clock.advance(120_000)
    expect(await stores.client.createApiKey({ storeId, name: 'x', expiresAt }, options)).toEqual(first)
  })

  it('rejects an Idempotency-Key used with another body', async () => {
    const storeId = await aStore()
    const options = withKey(operator())
    await stores.client.createApiKey({ storeId, name: 'x' }, options)
    const fault = await faultOf(stores.client.createApiKey({ storeId, name: 'y' }, options))
    expect(fault).toMatchObject({ code: 'idempotency-mismatch' })
  })

  it('publishes the key without its secret', async () => {
    const { apiKey } = await stores.client.createApiKey({ storeId: await aStore(), name: 'x' }, operator())
    expect(await eventsOf(stores, apiKey?.id)).toMatchObject([
      { type: 'api_key.created', storeId: apiKey?.storeId, message: { apiKey } },
    ])
  })
})
