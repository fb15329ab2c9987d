import { faultOf, operator } from '@storekeep/common/testing'
import { Game } from '@storekeep/proto/stores/v1/store'
import { describe, expect, it } from 'vitest'
import { createTestStore, storeRequest, useStores } from './harness.ts'

const stores = useStores()

describe('GetStore', () => {
  it('answers the store of the call with all its members', async () => {
    const request = storeRequest({
      game: Game.MINECRAFT_GEYSER,
      logoUrl: 'https://cdn.example/a.png',
      logoSquareUrl: 'https://cdn.example/b.png',
      bedrockPrefix: '*',
    })
    const { store } = await stores.client.createStore(request, operator())
    const answer = await stores.client.getStore({}, operator({ storeId: store?.id }))
    expect(answer.store).toEqual(store)
    expect(answer.store).toMatchObject(request)
  })

  it('answers the store of the call and no other', async () => {
    const [one, other] = await Promise.all([createTestStore(stores), createTestStore(stores)])
    const answer = await stores.client.getStore({}, operator({ storeId: other.id }))
    expect(answer.store?.id).toBe(other.id)
    expect(answer.store?.id).not.toBe(one.id)
  })

  it.each(['1', '9223372036854775807', 'x', '9223372036854775808'])('finds no store %s', async (storeId) => {
    expect(await faultOf(stores.client.getStore({}, operator({ storeId })))).toMatchObject({ code: 'not-found' })
  })

  it('calls it a mistake of ours when the call has no store', async () => {
    expect(await faultOf(stores.client.getStore({}, operator()))).toMatchObject({ code: 'internal-error' })
  })
})
