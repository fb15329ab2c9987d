import { faultOf, operator } from '@storekeep/common/testing'
import { Game } from '@storekeep/proto/stores/v1/store'
import { describe, expect, it } from 'vitest'
import { createTestStore, storeRequest, useStores } from './harness.ts'

const stores = useStores()

describe('GetStore', () => {
  it('returns the store of the call with all fields', async () => {
    const request = storeRequest({
      game: Game.MINECRAFT_GEYSER,
      logoUrl: 'https://cdn.example/a.png',
      logoSquareUrl: 'https://cdn.example/b.png',
      bedrockPrefix: '*',
    })
    const { store } = await stores.client.createStore(request, operator())
    const response = await stores.client.getStore({}, operator({ storeId: store?.id }))
    expect(response.store).toEqual(store)
    expect(response.store).toMatchObject(request)
  })

  it('returns only the store of the call', async () => {
    const [one, other] = await Promise.all([createTestStore(stores), createTestStore(stores)])
    const response = await stores.client.getStore({}, operator({ storeId: other.id }))
    expect(response.store?.id).toBe(other.id)
    expect(response.store?.id).not.toBe(one.id)
  })

  it.each(['1', '9223372036854775807', 'x', '9223372036854775808'])(
    'returns not-found for store %s',
    async (storeId) => {
      expect(await faultOf(stores.client.getStore({}, operator({ storeId })))).toMatchObject({ code: 'not-found' })
    },
  )

  it('returns internal-error for a call without a store', async () => {
    expect(await faultOf(stores.client.getStore({}, operator()))).toMatchObject({ code: 'internal-error' })
  })
})
