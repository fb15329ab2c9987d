import { EmailKind, TaxMode, TaxProvider } from '@storekeep/proto/stores/v1/store'
import { describe, expect, it } from 'vitest'
import { itemsOf, useGateway } from './harness.ts'

const gateway = useGateway()

const everything = {
  name: 'Rusty Hut',
  description: 'Kits\nand ranks',
  logo_url: 'https://img.example.com/logo.png',
  logo_square_url: 'https://img.example.com/square.png',
  icon_url: 'http://127.0.0.1:8081/icon.png',
  accent_color: '#B45309',
  website_url: 'https://rusty-hut.example.com',
  support_email: 'help@rusty-hut.example.com',
  reply_to: 'reply@rusty-hut.example.com',
  links: {
    terms: 'https://rusty-hut.example.com/terms',
    privacy: 'https://rusty-hut.example.com/privacy',
    refunds: 'https://rusty-hut.example.com/refunds',
  },
  seller: { name: 'Rusty Hut GmbH', address: 'Weg 1\n10115 Berlin', tax_id: 'DE123456789', register: 'HRB 1' },
  time_zone: 'Europe/Berlin',
  tax: {
    mode: 'inclusive',
    provider: 'registrations',
    country: 'DE',
    registrations: [
      { country: 'DE', rate: 1900, name: 'VAT' },
      { country: 'AT', rate: null, name: 'USt' },
    ],
  },
  disabled_emails: ['refund', 'subscription_ending'],
  store_page_enabled: true,
}

const memberPaths = [
  ...['links.terms', 'links.privacy', 'links.refunds'],
  ...['seller.name', 'seller.address', 'seller.tax_id', 'seller.register'],
  ...['tax.mode', 'tax.provider', 'tax.country', 'tax.registrations'],
]
const ownPaths = Object.keys(everything).filter((name) => !['links', 'seller', 'tax'].includes(name))
const clearable = [
  ...['description', 'logo_url', 'logo_square_url', 'icon_url', 'accent_color', 'website_url', 'support_email'],
  ...['reply_to', 'links', 'seller'],
]

describe('PATCH /v1/stores/{storeId}', () => {
  it('passes every field to the service', async () => {
    expect((await gateway.newStore().send('PATCH', '', { json: everything })).status).toBe(200)
    const { tax, disabled_emails: _, ...texts } = everything
    expect(gateway.received().store).toMatchObject({
      name: texts.name,
      description: texts.description,
      logoUrl: texts.logo_url,
      logoSquareUrl: texts.logo_square_url,
      iconUrl: texts.icon_url,
      accentColor: texts.accent_color,
      websiteUrl: texts.website_url,
      supportEmail: texts.support_email,
      replyTo: texts.reply_to,
      links: texts.links,
      seller: { name: 'Rusty Hut GmbH', address: 'Weg 1\n10115 Berlin', taxId: 'DE123456789', register: 'HRB 1' },
      timeZone: texts.time_zone,
      tax: {
        mode: TaxMode.INCLUSIVE,
        provider: TaxProvider.REGISTRATIONS,
        country: 'DE',
        registrations: [tax.registrations[0], { country: 'AT', name: 'USt' }],
      },
      disabledEmails: [EmailKind.REFUND, EmailKind.SUBSCRIPTION_ENDING],
      storePageEnabled: true,
    })
  })

  it.each<[string, object, string[]]>([
    ['no field', {}, []],
    ['one field', { name: 'Hut' }, ['name']],
    ['every field', everything, [...ownPaths, ...memberPaths]],
    ['one member', { links: { terms: null }, seller: {}, tax: { mode: 'none' } }, ['links.terms', 'tax.mode']],
    [
      'null for nullable fields',
      Object.fromEntries(clearable.map((name) => [name, null])),
      [
        ...clearable.filter((name) => name !== 'links' && name !== 'seller'),
        ...memberPaths.filter((path) => !path.startsWith('tax.')),
      ],
    ],
  ])('updates %s', async (_, json, paths) => {
    expect((await gateway.newStore().send('PATCH', '', { json })).status).toBe(200)
    const { updateMask } = gateway.received() as { updateMask: { paths: string[] } }
    expect(updateMask.paths.sort()).toEqual([...paths].sort())
  })

  it.each<[object, string[]]>([
    [{ name: null }, ['name type']],
    [{ name: '' }, ['name length']],
    [{ description: 'x'.repeat(2001) }, ['description length']],
    [{ logo_url: 'http://img.example.com/a.png' }, ['logo_url format']],
    [{ icon_url: 'javascript:alert(1)' }, ['icon_url format']],
    [{ accent_color: 'red' }, ['accent_color pattern']],
    [{ support_email: 'help' }, ['support_email format']],
    [{ links: { terms: '/terms', privacy: 5 } }, ['links.terms format', 'links.privacy type']],
    [{ seller: { name: '', tax_id: 'x'.repeat(65) } }, ['seller.name length', 'seller.tax_id length']],
    [{ time_zone: null }, ['time_zone type']],
    [{ tax: null }, ['tax type']],
    [{ tax: { mode: 'some', provider: 'avalara' } }, ['tax.mode enum', 'tax.provider enum']],
    [{ tax: { registrations: [{ country: 'XX', rate: 1.5 }] } }, ['country enum', 'rate type', 'name required']],
    [{ tax: { registrations: [{ country: 'DE', rate: 10_001, name: 'VAT' }] } }, ['rate max']],
    [{ disabled_emails: ['spam'] }, ['disabled_emails.0 enum']],
    [{ store_page_enabled: 'yes' }, ['store_page_enabled type']],
  ])('rejects %j', async (json, items) => {
    const found = itemsOf(await gateway.newStore().send('PATCH', '', { json }))
    expect(found.map((item) => item.replace('tax.registrations.0.', ''))).toEqual(items)
  })
})
