import { ServiceFault } from '@storekeep/common/errors'
import { describe, expect, it } from 'vitest'
import { type StoreDetails, storeDetailFields } from './store.ts'
import { checkStoreChange } from './store-change.ts'
import { type DetailsInput, unsetDetails } from './store-details.ts'

const input: DetailsInput = { ...unsetDetails, name: 'Isles' }
const all = Object.values(storeDetailFields)

function rejections(change: Partial<DetailsInput>) {
  try {
    checkStoreChange({ ...input, ...change }, all)
  } catch (error) {
    if (error instanceof ServiceFault) return error.violations.map(({ path, validation }) => `${path} ${validation}`)
    throw error
  }
  return []
}

const registration = { country: 'DE', rate: 1900, name: 'VAT' }

describe('a change of a store', () => {
  it('contains the fields of the mask only', () => {
    expect(checkStoreChange({ ...input, replyTo: 'x' }, ['name', 'links.terms'])).toEqual({
      name: 'Isles',
      termsUrl: null,
    })
    expect(checkStoreChange(input, [])).toEqual({})
    expect(() => checkStoreChange(input, ['currency'])).toThrow(expect.objectContaining({ code: 'bad-request' }))
    expect(() => checkStoreChange(input, ['links'])).toThrow(expect.objectContaining({ code: 'bad-request' }))
  })

  it('may set every field', () => {
    const details: StoreDetails = {
      name: 'Isles',
      description: 'Ranks\nand kits',
      logoUrl: 'https://cdn.example/a.png',
      logoSquareUrl: 'https://cdn.example/b.png',
      iconUrl: 'http://127.0.0.1:8081/c.png',
      accentColor: '#2457d6',
      websiteUrl: 'https://isles.example',
      supportEmail: 'help@isles.example',
      replyTo: 'reply@isles.example',
      termsUrl: 'https://isles.example/terms',
      privacyUrl: 'https://isles.example/privacy',
      refundsUrl: 'https://isles.example/refunds',
      sellerName: 'Isles GmbH',
      sellerAddress: 'Weg 1\n10115 Berlin',
      sellerTaxId: 'DE123456789',
      sellerRegister: 'HRB 1',
      timeZone: 'America/Argentina/Buenos_Aires',
      taxMode: 'exclusive',
      taxProvider: 'registrations',
      taxCountry: 'DE',
      taxRegistrations: [registration, { country: 'AT', rate: null, name: 'USt' }],
      disabledEmails: ['refund', 'receipt'],
      storePageEnabled: true,
    }
    expect(checkStoreChange(details, all)).toEqual(details)
  })

  it('stores trimmed texts and each kind of email once', () => {
    const untrimmed = {
      description: ' a \r\n b ',
      sellerName: ' Isles\t',
      supportEmail: ' Help@isles.example ',
      accentColor: '#ABCDEF',
      taxRegistrations: [{ ...registration, name: ' VAT ' }],
      disabledEmails: ['refund', 'refund'],
    } as const
    expect(checkStoreChange({ ...input, ...untrimmed }, all)).toMatchObject({
      description: 'a \n b',
      sellerName: 'Isles',
      supportEmail: 'Help@isles.example',
      accentColor: '#abcdef',
      taxRegistrations: [registration],
      disabledEmails: ['refund'],
    })
  })

  it.each([
    ['description', ['', ' ', 'x'.repeat(2001)], 'description length'],
    ['description', ['a\u0000b'], 'description pattern'],
    ['iconUrl', ['http://cdn.example/a.png', 'x'], 'icon_url format'],
    ['websiteUrl', ['http://isles.example'], 'website_url format'],
    ['termsUrl', ['javascript:alert(1)'], 'links.terms format'],
    ['privacyUrl', ['/privacy'], 'links.privacy format'],
    ['refundsUrl', ['ftp://isles.example'], 'links.refunds format'],
    ['supportEmail', ['help', 'a b@isles.example', 'a@b\nBcc: c@d'], 'support_email format'],
    ['replyTo', [''], 'reply_to format'],
    ['sellerName', ['', 'x'.repeat(201)], 'seller.name length'],
    ['sellerName', ['a\nb'], 'seller.name pattern'],
    ['sellerAddress', ['x'.repeat(501)], 'seller.address length'],
    ['sellerTaxId', ['x'.repeat(65)], 'seller.tax_id length'],
    ['sellerRegister', ['x'.repeat(201)], 'seller.register length'],
    ['timeZone', ['', 'Berlin', '+01:00', 'Europe/Berlin\n', 'x'.repeat(65)], 'time_zone enum'],
    ['taxMode', ['invalid'], 'tax.mode enum'],
    ['taxProvider', ['invalid'], 'tax.provider enum'],
    ['taxCountry', ['de', 'ZZ', ''], 'tax.country enum'],
    ['disabledEmails', [['receipt', 'invalid']], 'disabled_emails.1 enum'],
  ] satisfies [keyof DetailsInput, unknown[], string][])('rejects %s %j', (field, values, rejection) => {
    for (const value of values) expect(rejections({ [field]: value })).toEqual([rejection])
  })

  it.each([
    [{ country: 'de' }, 'country enum'],
    [{ country: 'ZZ' }, 'country enum'],
    [{ country: 'EU' }, 'country enum'],
    [{ rate: -1 }, 'rate min'],
    [{ rate: 10_001 }, 'rate max'],
    [{ country: 'CH', rate: null }, 'rate required'],
    [{ name: ' ' }, 'name length'],
    [{ name: 'x'.repeat(33) }, 'name length'],
  ])('rejects the tax registration %j', (change, rejection) => {
    const france = { ...registration, country: 'FR' }
    expect(rejections({ taxRegistrations: [france, { ...registration, ...change }] })).toEqual([
      `tax.registrations.1.${rejection}`,
    ])
  })

  it('rejects a second registration in a country, and more than 100', () => {
    expect(rejections({ taxRegistrations: [registration, { ...registration, rate: 700 }] })).toEqual([
      'tax.registrations.1.country unique',
    ])
    expect(rejections({ taxRegistrations: Array.from({ length: 101 }, () => registration) })).toEqual([
      'tax.registrations max',
    ])
  })
})
