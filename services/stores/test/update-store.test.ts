import type { MessageInitShape } from '@bufbuild/protobuf'
import { eventsOf, faultOf, operator, randomId, violationsOf } from '@storekeep/common/testing'
import { EmailKind, type StoreSchema, TaxMode, TaxProvider } from '@storekeep/proto/stores/v1/store'
import { describe, expect, it } from 'vitest'
import { createTestStore, storeRequest, useStores } from './harness.ts'

const stores = useStores()
type StoreFields = MessageInitShape<typeof StoreSchema>

/** Returns the store after the change. */
async function update(storeId: string, store: StoreFields, ...paths: string[]) {
  const request = { store, updateMask: { paths } }
  return (await stores.client.updateStore(request, operator({ storeId }))).store
}

describe('UpdateStore', () => {
  it('changes the fields of the mask, clears absent fields, and does nothing without a change', async () => {
    const { id: storeId } = await createTestStore(stores)
    const [logoUrl, logoSquareUrl] = ['https://cdn.example/wide.png', 'https://cdn.example/square.png']
    const changed = await update(storeId, { accentColor: '#2457D6', name: 'ignored' }, 'accent_color')
    expect(changed).toMatchObject({ name: 'Isles', accentColor: '#2457d6', version: 2n, updatedAt: expect.anything() })
    expect(await update(storeId, { accentColor: '#2457d6' }, 'accent_color')).toEqual(changed)
    expect(await update(storeId, { name: 'Other' })).toEqual(changed)
    const renamed = await update(
      storeId,
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
    const cleared = await update(storeId, {}, 'logo_url', 'accent_color')
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

  it('keeps every field, and changes the members of links, seller and tax one by one', async () => {
    const { id: storeId } = await createTestStore(stores)
    const fields = {
      description: 'Ranks and kits',
      iconUrl: 'https://cdn.example/icon.png',
      websiteUrl: 'https://isles.example',
      supportEmail: 'help@isles.example',
      replyTo: 'reply@isles.example',
      links: {
        terms: 'https://isles.example/t',
        privacy: 'https://isles.example/p',
        refunds: 'https://isles.example/r',
      },
      seller: { name: 'Isles GmbH', address: 'Weg 1\n10115 Berlin', taxId: 'DE123456789', register: 'HRB 1' },
      timeZone: 'Europe/Berlin',
      tax: {
        mode: TaxMode.INCLUSIVE,
        provider: TaxProvider.REGISTRATIONS,
        country: 'DE',
        registrations: [
          { country: 'DE', rate: 1900, name: 'VAT' },
          { country: 'AT', name: 'USt' },
        ],
      },
      disabledEmails: [EmailKind.REFUND],
      storePageEnabled: true,
    }
    const isUnset = {
      links: {},
      seller: {},
      timeZone: 'UTC',
      tax: { mode: TaxMode.NONE, provider: TaxProvider.REGISTRATIONS, registrations: [] },
      disabledEmails: [],
      storePageEnabled: false,
    }
    expect((await stores.client.getStore({}, operator({ storeId }))).store).toMatchObject(isUnset)
    const paths = [
      ...['description', 'icon_url', 'website_url', 'support_email', 'reply_to'],
      ...['links.terms', 'links.privacy', 'links.refunds'],
      ...['seller.name', 'seller.address', 'seller.tax_id', 'seller.register', 'time_zone'],
      ...['tax.mode', 'tax.provider', 'tax.country', 'tax.registrations', 'disabled_emails', 'store_page_enabled'],
    ]
    expect(await update(storeId, fields, ...paths)).toMatchObject(fields)
    const moved = { seller: { address: 'Weg 2' }, tax: { mode: TaxMode.EXCLUSIVE } }
    const changed = await update(storeId, moved, 'links.terms', 'seller.address', 'tax.mode')
    expect(changed?.links?.terms).toBeUndefined()
    const { privacy, refunds } = fields.links
    expect(changed).toMatchObject({
      ...fields,
      links: { privacy, refunds },
      seller: { ...fields.seller, ...moved.seller },
      tax: { ...fields.tax, ...moved.tax },
    })
    const { store } = await stores.client.getStore({}, operator({ storeId }))
    expect(await eventsOf(stores, storeId)).toMatchObject([{}, {}, { type: 'store.updated', message: { store } }])
    expect(await update(storeId, {}, ...paths)).toMatchObject(isUnset)
  })

  it('keeps concurrent changes of different fields', async () => {
    const { id: storeId } = await createTestStore(stores)
    await Promise.all([
      update(storeId, { description: 'Ranks' }, 'description'),
      update(storeId, { seller: { name: 'Isles GmbH' } }, 'seller.name'),
      update(storeId, { seller: { taxId: 'DE1' } }, 'seller.tax_id'),
    ])
    const { store } = await stores.client.getStore({}, operator({ storeId }))
    expect(store).toMatchObject({ description: 'Ranks', seller: { name: 'Isles GmbH', taxId: 'DE1' }, version: 4n })
  })

  it('names every invalid field, and fields that cannot be changed', async () => {
    const { id: storeId } = await createTestStore(stores)
    const change = (...paths: string[]) => update(storeId, { logoUrl: 'x' }, ...paths)
    expect(await violationsOf(change('logo_url', 'name'))).toEqual(['name required', 'logo_url format'])
    expect(await faultOf(change('currency'))).toMatchObject({ code: 'bad-request' })
  })

  it('accepts only colors of six hexadecimal digits, also for a new store', async () => {
    const { id: storeId } = await createTestStore(stores)
    for (const accentColor of ['red', '#fff', '2457d6', '#2457d6;}', '#2457dg', ' #2457d6']) {
      const wrong = ['accent_color pattern']
      expect(await violationsOf(update(storeId, { accentColor }, 'accent_color'))).toEqual(wrong)
      expect(await violationsOf(stores.client.createStore(storeRequest({ accentColor }), operator()))).toEqual(wrong)
    }
    const { store } = await stores.client.createStore(storeRequest({ accentColor: '#ABCDEF' }), operator())
    expect(store?.accentColor).toBe('#abcdef')
  })

  it('does not find an unknown store', async () => {
    expect(await faultOf(update(randomId(), {}))).toMatchObject({ code: 'not-found' })
  })
})
