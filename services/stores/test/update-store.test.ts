import type { MessageInitShape } from '@bufbuild/protobuf'
import { eventsOf, faultOf, operator, randomId, violationsOf } from '@storekeep/common/testing'
import type { UpdateStoreRequestSchema } from '@storekeep/proto/stores/v1/stores_service'
import { describe, expect, it } from 'vitest'
import { createTestStore, storeRequest, useStores } from './harness.ts'

const stores = useStores()
type StoreFields = Omit<MessageInitShape<typeof UpdateStoreRequestSchema>, '$typeName'>

describe('UpdateStore', () => {
  it('changes the fields of the mask, clears absent fields, and does nothing without a change', async () => {
    const { id: storeId } = await createTestStore(stores)
    const update = async (fields: StoreFields, ...paths: string[]) =>
      (await stores.client.updateStore({ storeId, ...fields, updateMask: { paths } }, operator())).store
    const [logoUrl, logoSquareUrl] = ['https://cdn.example/wide.png', 'https://cdn.example/square.png']
    const changed = await update({ accentColor: '#2457D6', name: 'ignored' }, 'accent_color')
    expect(changed).toMatchObject({ name: 'Isles', accentColor: '#2457d6', version: 2n, updatedAt: expect.anything() })
    expect(await update({ accentColor: '#2457d6' }, 'accent_color')).toEqual(changed)
    expect(await update({ name: 'Other' })).toEqual(changed)
    const renamed = await update(
      { name: ' Rustier Isles ', logoUrl, logoSquareUrl },
      'name',
      'logo_url',
      'logo_square_url',
    )
    expect(renamed).toMatchObject({
      name: 'Rustier Isles',
      logoUrl,
      logoSquareUrl,
      accentColor: '#2457d6',
      version: 3n,
    })
    const { store } = await stores.client.getStore({}, operator({ storeId }))
    expect(store).toEqual(renamed)
    const cleared = await update({}, 'logo_url', 'accent_color')
    expect(cleared).toMatchObject({ name: 'Rustier Isles', logoSquareUrl })
    expect([cleared?.logoUrl, cleared?.accentColor]).toEqual([undefined, undefined])
    const events = await eventsOf(stores, storeId)
    expect(events.map(({ type, version }) => `${type} ${version}`)).toEqual([
      'store.created 1',
      'store.updated 2',
      'store.updated 3',
      'store.updated 4',
    ])
  })

  it('names every invalid field, and fields that cannot be changed', async () => {
    const { id: storeId } = await createTestStore(stores)
    const update = (...paths: string[]) =>
      stores.client.updateStore({ storeId, logoUrl: 'x', updateMask: { paths } }, operator())
    expect(await violationsOf(update('name', 'logo_url'))).toEqual(['name required', 'logo_url format'])
    expect(await faultOf(update('currency'))).toMatchObject({ code: 'bad-request' })
  })

  it('accepts only colors of six hexadecimal digits, also for a new store', async () => {
    const { id: storeId } = await createTestStore(stores)
    const updateMask = { paths: ['accent_color'] }
    for (const accentColor of ['red', '#fff', '2457d6', '#2457d6;}', '#2457dg', ' #2457d6']) {
      const wrong = ['accent_color pattern']
      expect(await violationsOf(stores.client.updateStore({ storeId, accentColor, updateMask }, operator()))).toEqual(
        wrong,
      )
      expect(await violationsOf(stores.client.createStore(storeRequest({ accentColor }), operator()))).toEqual(wrong)
    }
    const { store } = await stores.client.createStore(storeRequest({ accentColor: '#ABCDEF' }), operator())
    expect(store?.accentColor).toBe('#abcdef')
  })

  it('does not find an unknown store', async () => {
    const unknown = stores.client.updateStore({ storeId: randomId() }, operator())
    expect(await faultOf(unknown)).toMatchObject({ code: 'not-found' })
  })
})
