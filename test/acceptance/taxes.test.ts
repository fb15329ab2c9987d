import { expectFault, openDelivery, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore, shopper } = await useSharedSystem()

/** A new store in Germany that adds taxes, with a customer and a product for 10.00. */
async function taxedShop() {
  const store = await createStore()
  const registrations = [
    { country: 'DE', rate: null, name: 'MwSt.' },
    { country: 'FR', rate: 1000, name: 'TVA' },
  ]
  const tax = { mode: 'exclusive', country: 'DE', registrations }
  const { status } = await store.patch('', { tax, time_zone: 'Europe/Berlin' })
  expect(status).toBe(200)
  const { shop, buy } = await openDelivery(store, shopper)
  const [customer, product] = [await shop.customer(), await shop.product({ price: 1000 })]
  const order = (customer_details: object, quantity = 1) => ({
    customer_id: customer.id,
    lines: [{ product_id: product.id, quantity }],
    customer_details,
  })
  return { store, shop, order, buy }
}

describe('a store that charges taxes', () => {
  it('adds the tax of the country of the buyer, and none for a business elsewhere in the EU', async () => {
    const { shop, order } = await taxedShop()
    const german = await shop.session(order({ billing_address: { country: 'DE' } }))
    expect(german).toMatchObject({
      ...{ subtotal_amount: 1000, total_amount: 1190, net_amount: 1000, tax_amount: 190, tax_country: 'DE' },
      ...{ tax_rate: 1900, tax_name: 'MwSt.', tax_included: false, reverse_charge: false },
      tax_evidence: { billing_country: 'DE', ip_country: null, tax_id_check: 'none' },
    })
    expect(german.lines).toMatchObject([{ net_amount: 1000, tax_amount: 190, gross_amount: 1190 }])
    const french = await shop.session(order({ billing_address: { country: 'FR' } }))
    expect(french).toMatchObject({ total_amount: 1100, tax_rate: 1000, tax_name: 'TVA' })
    const business = { billing_address: { country: 'FR' }, billing_tax_id: 'FR40303265045' }
    expect(await shop.session(order(business))).toMatchObject({ total_amount: 1000, tax_rate: 0, reverse_charge: true })
    const abroad = await shop.session(order({ billing_address: { country: 'US' } }))
    expect(abroad).toMatchObject({ total_amount: 1000, tax_amount: 0, tax_name: null })
  })

  it('numbers its invoices, splits refunds, and reports both', async () => {
    const { store, order, buy } = await taxedShop()
    const first = await buy(order({ billing_address: { country: 'DE' } }, 2))
    const second = await buy(order({ billing_address: { country: 'FR' } }))
    const [year = ''] = first.invoice_number?.split('-') ?? []
    expect([first.invoice_number, second.invoice_number]).toEqual([`${year}-000001`, `${year}-000002`])
    expect(first).toMatchObject({ total_amount: 2380, net_amount: 2000, tax_amount: 380 })
    const refund = await store.post(`/orders/${first.id}/refunds`, { lines: [{ position: 1, quantity: 1 }] })
    expect(refund.body).toMatchObject({ amount: 1190, net_amount: 1000, tax_amount: 190 })
    const report = await store.get(`/tax-report?from=${year}-01-01&to=${year}-12-31`)
    expect(report.body).toMatchObject({
      time_zone: 'Europe/Berlin',
      rows: [
        {
          ...{ currency: 'eur', country: 'DE', rate: 1900, name: 'MwSt.', orders: 1 },
          ...{ net_amount: 2000, tax_amount: 380, gross_amount: 2380 },
          ...{ refunded_net_amount: 1000, refunded_tax_amount: 190, refunded_gross_amount: 1190 },
        },
        { country: 'FR', rate: 1000, orders: 1, net_amount: 1000, tax_amount: 100 },
      ],
    })
    expectFault(await store.get(`/tax-report?from=${year}-01-01&to=${year}-13-01`), 'validation-failed')
  })

  it('lists the standard rates of the European Union with the day of the data', async () => {
    const { store } = await taxedShop()
    const { body } = await store.get<{ as_of: string; rates: object[] }>('/tax-rates')
    expect(body.as_of).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(body.rates).toHaveLength(27)
    expect(body.rates).toContainEqual({ country: 'DE', rate: 1900 })
  })
})
