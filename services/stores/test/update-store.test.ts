import { eventsOf, faultOf, operator, randomId, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestStore, storeRequest, useStores } from './harness.ts'

const stores = useStores()

describe('UpdateStore', () => {
  it('changes the accent colour, restores the default, and does nothing without a change', async () => {
    const { id: storeId } = await createTestStore(stores)
    const update = async (accentColor?: string) =>
      (await stores.client.updateStore({ storeId, ...(accentColor !== undefined && { accentColor }) }, operator()))
        .store
    const changed = await update('#2457D6')
    expect(changed).toMatchObject({ accentColor: '#2457d6', version: 2n, updatedAt: expect.anything() })
    for (const same of ['#2457d6', undefined]) expect(await update(same)).toEqual(changed)
    const { store } = await stores.client.getStore({}, operator({ storeId }))
    expect(store).toEqual(changed)
    expect((await update(''))?.accentColor).toBeUndefined()
    const events = await eventsOf(stores, storeId)
    expect(events.map(({ type, version }) => `${type} ${version}`)).toEqual([
      'store.created 1',
      'store.updated 2',
      'store.updated 3',
    ])
  })

  it('accepts only colours of six hexadecimal digits, also for a new store', async () => {
    const { id: storeId } = await createTestStore(stores)
    for (const accentColor of ['red', '#fff', '2457d6', '#2457d6;}', '#2457dg', ' #2457d6']) {
      const wrong = ['accent_color pattern']
      expect(await violationsOf(stores.client.updateStore({ storeId, accentColor }, operator()))).toEqual(wrong)
      expect(await violationsOf(stores.client.createStore(storeRequest({ accentColor }), operator()))).toEqual(wrong)
    }
    const { store } = await stores.client.createStore(storeRequest({ accentColor: '#ABCDEF' }), operator())
    expect(store?.accentColor).toBe('#abcdef')
  })

  it('does not find an unknown store', async () => {
    const unknown = stores.client.updateStore({ storeId: randomId(), accentColor: '#000000' }, operator())
    expect(await faultOf(unknown)).toMatchObject({ code: 'not-found' })
  })
})
