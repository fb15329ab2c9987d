import { expectFault, type StoreBody, type StoreSettingsBody, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()

const changes = {
  name: 'Rustier Isles',
  description: 'Kits and ranks\nfor two servers',
  logo_url: 'https://img.example.com/logo.png',
  logo_square_url: 'https://img.example.com/square.png',
  icon_url: 'https://img.example.com/icon.png',
  accent_color: '#b45309',
  website_url: 'https://isles.example.com',
  support_email: 'help@isles.example.com',
  reply_to: 'reply@isles.example.com',
  links: { terms: 'https://isles.example.com/terms', privacy: 'https://isles.example.com/privacy', refunds: null },
  seller: { name: 'Isles GmbH', address: 'Weg 1\n10115 Berlin', tax_id: 'DE123456789', register: 'HRB 1' },
  time_zone: 'Europe/Berlin',
  tax: {
    mode: 'exclusive',
    provider: 'registrations',
    country: 'DE',
    registrations: [
      { country: 'DE', rate: 1900, name: 'VAT' },
      { country: 'AT', rate: null, name: 'USt' },
    ],
  },
  disabled_emails: ['refund'],
  store_page_enabled: true,
}

describe('GET and PATCH /v1/stores/{storeId}', () => {
  it('return the settings of a new store, with null and defaults for everything that it has not set', async () => {
    const store = await createStore()
    const { status, body } = await store.get<StoreSettingsBody>('')
    expect(status).toBe(200)
    expect(body).toEqual({
      id: store.id,
      slug: store.slug,
      name: `Store ${store.slug}`,
      game: 'rust',
      currency: 'eur',
      bedrock_prefix: '.',
      description: null,
      logo_url: null,
      logo_square_url: null,
      icon_url: null,
      accent_color: null,
      website_url: null,
      support_email: null,
      reply_to: null,
      links: { terms: null, privacy: null, refunds: null },
      seller: { name: null, address: null, tax_id: null, register: null },
      time_zone: 'UTC',
      tax: { mode: 'none', provider: 'registrations', country: null, registrations: [] },
      disabled_emails: [],
      store_page_enabled: false,
      created_at: expect.any(String),
      updated_at: null,
    })
  })

  it('change only what is sent, and nothing for an unchanged value', async () => {
    const store = await createStore()
    const { body: before } = await store.get<StoreSettingsBody>('')
    const { status, body } = await store.patch<StoreSettingsBody>('', changes)
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, ...changes, updated_at: expect.any(String) })
    expect((await store.get('')).body).toEqual(body)
    expect((await store.patch('', { ...changes, id: '1', game: 'minecraft' })).body).toEqual(body)

    const small = { links: { terms: null }, seller: { tax_id: null }, tax: { mode: 'none' }, description: null }
    const { body: after } = await store.patch<StoreSettingsBody>('', small)
    expect(after).toEqual({
      ...body,
      description: null,
      links: { ...changes.links, terms: null },
      seller: { ...changes.seller, tax_id: null },
      tax: { ...changes.tax, mode: 'none' },
      updated_at: expect.any(String),
    })
  })

  it('leave the public store of the storefront as it is specified', async () => {
    const store = await createStore()
    await store.patch('', changes)
    const { body } = await store.shop<StoreBody>('GET', '/store')
    expect(body).toEqual({
      id: store.id,
      slug: store.slug,
      name: changes.name,
      game: 'rust',
      currency: 'eur',
      logo_url: changes.logo_url,
      logo_square_url: changes.logo_square_url,
    })
  })

  it('repeat the response for a repeated Idempotency-Key', async () => {
    const store = await createStore()
    const headers = { 'idempotency-key': 'rename-1' }
    const first = await store.patch<StoreSettingsBody>('', { name: 'One' }, { headers })
    await store.patch('', { name: 'Two' })
    expect((await store.patch('', { name: 'One' }, { headers })).body).toEqual(first.body)
    expect((await store.get<StoreSettingsBody>('')).body.name).toBe('Two')
    expectFault(await store.patch('', { name: 'Three' }, { headers }), 'idempotency-mismatch')
  })

  it('name every invalid field, also where only the service knows the rule', async () => {
    const store = await createStore()
    const wrong = { name: '', icon_url: 'http://img.example.com/icon.png', support_email: 'help' }
    expectFault(await store.patch('', wrong), 'validation-failed', [
      'name length',
      'icon_url format',
      'support_email format',
    ])
    const switzerland = { country: 'CH', name: 'VAT' }
    expectFault(
      await store.patch('', { time_zone: 'Berlin', tax: { registrations: [switzerland] } }),
      'validation-failed',
      ['time_zone enum', 'tax.registrations.0.rate required'],
    )
  })

  it('need their scopes', async () => {
    const reader = await createStore({ scopes: ['store:read'] })
    expect((await reader.get('')).status).toBe(200)
    expectFault(await reader.patch('', { name: 'x' }), 'forbidden')
    const other = await createStore({ scopes: ['customers:read'] })
    expectFault(await other.get(''), 'forbidden')
  })
})
