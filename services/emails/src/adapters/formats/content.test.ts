import { create } from '@bufbuild/protobuf'
import { OrderSchema } from '@storekeep/proto/orders/v1/order'
import { StoreSchema } from '@storekeep/proto/stores/v1/store'
import { describe, expect, it } from 'vitest'
import { composeEmail } from './compose-email.ts'
import type { EmailFacts } from './email-facts.ts'

const store = create(StoreSchema, {
  id: '1',
  name: 'Skyblock',
  timeZone: 'UTC',
  accentColor: '#ffee00',
  seller: { name: 'Skyblock GmbH', address: 'Hauptstr. 1\n10115 Berlin', taxId: 'DE123456789', register: 'HRB 1' },
  links: { terms: 'https://skyblock.example/terms' },
})

function receipt(order: Parameters<typeof create<typeof OrderSchema>>[1], locale = 'en'): EmailFacts {
  const bought = create(OrderSchema, {
    customerId: '2',
    number: 7n,
    currency: 'eur',
    lines: [{ name: 'VIP', quantity: 1, unitPrice: 1190n, totalAmount: 1190n }],
    subtotalAmount: 1190n,
    totalAmount: 1190n,
    ...order,
  } as Parameters<typeof create<typeof OrderSchema>>[1])
  const email = { kind: 'receipt', customerId: '2', refundAmount: null } as const
  const names = new Map([['2', 'Robin']])
  return {
    email,
    store,
    order: bought,
    subscription: undefined,
    names,
    address: 'a@example.com',
    locale,
    portalLink: undefined,
  }
}

const pagesUrl = 'https://pay.example.org/checkout'

describe('a receipt', () => {
  it('names the tax that prices contain, the net amount, and the invoice number', async () => {
    const tax = { inclusive: true, country: 'DE', rate: 1900, name: 'VAT', netAmount: 1000n, taxAmount: 190n }
    const { text } = await composeEmail(receipt({ tax, invoiceNumber: '2026-000042' } as never), pagesUrl)
    expect(text).toMatch(/Invoice: 2026-000042\n/)
    expect(text).toMatch(/Total: €11\.90\nIncludes VAT 19%: €1\.90\nNet: €10\.00/)
  })

  it('adds the tax to the subtotal if prices do not contain it', async () => {
    const tax = { inclusive: false, country: 'DE', rate: 1900, name: 'VAT', netAmount: 1190n, taxAmount: 226n }
    const { text } = await composeEmail(receipt({ tax, totalAmount: 1416n } as never), pagesUrl)
    expect(text).toMatch(/Subtotal: €11\.90\nVAT 19%: €2\.26\nTotal: €14\.16/)
  })

  it('says that the buyer owes the tax, and nothing of taxes in a store that charges none', async () => {
    const tax = { inclusive: true, country: 'AT', rate: 0, reverseCharge: true, netAmount: 1190n, taxAmount: 0n }
    expect((await composeEmail(receipt({ tax } as never), pagesUrl)).text).toContain('Reverse charge')
    expect((await composeEmail(receipt({}), pagesUrl)).text).not.toMatch(/Tax \d|Net|Reverse|Invoice/)
  })

  it('names the seller and the legal pages, and has text that can be read on the accent color', async () => {
    const portalLink = { url: 'https://me.example/?t=1', endsAt: new Date('2026-12-01T12:00:00Z') }
    const { text, html } = await composeEmail({ ...receipt({}), portalLink }, pagesUrl)
    expect(text).toContain('Sold by Skyblock GmbH, Hauptstr. 1, 10115 Berlin\nTax ID: DE123456789\nRegister: HRB 1')
    expect(text).toContain('Terms: https://skyblock.example/terms')
    expect(text).toContain('It works once, until December 1, 2026')
    expect(html).toContain('background:#ffee00;color:#000000')
  })
})

describe('the logo of the store', () => {
  it('is loaded from the pages', async () => {
    const facts = receipt({})
    const logo = { ...facts.store, logoUrl: 'https://cdn.example.org/logo.png' }
    const { html } = await composeEmail({ ...facts, store: logo }, pagesUrl)
    expect(html).toContain(`<img src="${pagesUrl}/images/${facts.store.id}/`)
    expect(html).not.toContain('cdn.example.org')
    expect((await composeEmail(facts, pagesUrl)).html).not.toContain('<img')
  })
})
