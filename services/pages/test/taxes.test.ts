import type { MessageInitShape } from '@bufbuild/protobuf'
import { errors, violation } from '@storekeep/common/errors'
import { fakeService, randomId, useFakeProcess, useFakeService } from '@storekeep/common/testing'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { type CheckoutSessionSchema, TaxIdCheck } from '@storekeep/proto/checkout/v1/checkout_session'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import type { OrderSchema } from '@storekeep/proto/orders/v1/order'
import { PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { TaxMode } from '@storekeep/proto/stores/v1/store'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useFakeDelivery } from './fake-delivery.ts'
import { startPages } from './start-pages.ts'

const token = 'a'.repeat(28)
type Session = Extract<MessageInitShape<typeof CheckoutSessionSchema>, { $typeName?: never }>

const details = { billingEmail: 'robin@example.com', billingName: 'Robin' }
const session: Session = {
  id: randomId(),
  storeId: '1',
  currency: 'eur',
  lines: [{ name: 'VIP', quantity: 1, unitPrice: 1000n, totalAmount: 1000n }],
  subtotalAmount: 1000n,
  totalAmount: 1000n,
  customerDetails: { ...details, billingAddress: { city: 'Bonn' } },
}
const german = { country: 'DE', rate: 1900, name: 'MwSt.', netAmount: 1000n, taxAmount: 190n }
const taxed: Session = {
  ...session,
  totalAmount: 1190n,
  tax: { ...german, evidence: { billingCountry: 'DE' } },
  customerDetails: { ...details, billingAddress: { city: 'Bonn', country: 'DE' } },
}

const initial = {
  mode: TaxMode.EXCLUSIVE as TaxMode,
  session,
  order: undefined as MessageInitShape<typeof OrderSchema> | undefined,
  updated: taxed,
  failure: undefined as Error | undefined,
  updates: [] as object[],
  payments: [] as { billingDetails?: object | undefined; customerCountry?: string | undefined }[],
}
const state = { ...initial }

const seller = { name: 'Isles GmbH', address: 'Weg 1\n10115 Berlin', taxId: 'DE123' }
const stores = useFakeService(StoresService, {
  getStore: async () => ({ store: { id: '1', name: 'Isles', tax: { mode: state.mode }, seller } }),
})
const customers = useFakeService(CustomersService, { batchGetProfiles: async () => ({ profiles: [] }) })
const checkout = useFakeService(CheckoutService, {
  async updateTaxDetails({ billingCountry, billingTaxId, customerCountry }) {
    if (state.failure) throw state.failure
    state.updates.push({ billingCountry, billingTaxId, customerCountry })
    return { session: state.updated }
  },
})
const orders = useFakeProcess('orders', [
  fakeService(PaymentsService, {
    getPaymentState: async () => ({ session: state.session, ...(state.order && { order: state.order }) }),
    listPaymentMethods: async () => ({ providers: [PaymentProvider.TEST] }),
    async startPayment({ billingDetails, customerCountry }) {
      if (state.failure) throw state.failure
      state.payments.push({ billingDetails, customerCountry })
      return { payment: { provider: PaymentProvider.TEST } }
    },
  }),
])
const delivery = useFakeDelivery()

let pages: Awaited<ReturnType<typeof startPages>>
beforeAll(async () => {
  pages = await startPages({
    STORES_ADDRESS: stores.address,
    CUSTOMERS_ADDRESS: customers.address,
    CHECKOUT_ADDRESS: checkout.address,
    ORDERS_ADDRESS: orders.address,
    DELIVERY_ADDRESS: delivery.address(),
    COUNTRY_HEADER: 'CF-IPCountry',
  })
})
afterAll(() => pages.stop())
beforeEach(() => {
  Object.assign(state, { ...initial, updates: [], payments: [] })
})

const show = async (query = '', headers = {}) => (await pages.send({ path: `/?t=${token}${query}`, headers })).body
const chosenIn = (body: string) => /<option value="([A-Z]{2})" selected>(.*?)<\/option>/.exec(body)?.slice(1)
const totalsIn = (body: string) =>
  [...body.matchAll(/<dt>(.*?)<\/dt><dd class="amount">(.*?)<\/dd>/g)].map(([, label, amount]) => `${label}: ${amount}`)
const send = async (path: string, fields: Record<string, string>, headers = {}) => {
  const { location } = await pages.send({
    path: `${path}?t=${token}`,
    form: String(new URLSearchParams(fields)),
    headers,
  })
  return location?.split('?t=')[1]?.replace(token, '')
}
const pay = (fields: Record<string, string>, total = '1190') =>
  send('/pay', { email: 'robin@example.com', method: 'test', total, ...fields })

describe('the checkout of a store that charges taxes', () => {
  it('asks for the country, and first chooses the one of the address', async () => {
    const body = await show('', { 'cf-ipcountry': 'at' })
    expect(chosenIn(body)).toEqual(['AT', 'Austria'])
    expect(body.match(/<option value="[A-Z]{2}"/g)).toHaveLength(249)
    // The script applies it, as the total is for no country yet.
    expect(body).toContain('data-tax="changed"')
    expect(chosenIn(await show('', { 'cf-ipcountry': 'XX' }))).toBeUndefined()
    state.session = taxed
    const known = await show('', { 'cf-ipcountry': 'at' })
    expect(chosenIn(known)).toEqual(['DE', 'Germany'])
    expect(known).not.toContain('data-tax="changed"')
  })

  it('shows the tax that is added, or contained, and the reverse charge of a business', async () => {
    state.session = taxed
    expect(totalsIn(await show())).toEqual(['Subtotal: €10.00', 'MwSt. (19%): €1.90', 'Total: €11.90'])
    const tax = { ...german, inclusive: true, netAmount: 840n, taxAmount: 160n }
    state.session = { ...session, tax }
    expect(totalsIn(await show())).toEqual(['Total: €10.00', 'Net amount: €8.40', 'Includes MwSt. (19%): €1.60'])
    state.session = { ...session, tax: { country: 'FR', reverseCharge: true, netAmount: 1000n } }
    const business = await show()
    expect(totalsIn(business)).toEqual(['Total: €10.00'])
    expect(business).toContain('Reverse charge: the customer accounts for the VAT.')
  })

  it('stores the country and the tax id, and shows the new total', async () => {
    const fields = { country: 'DE', tax_id: ' DE123 ', email: '' }
    expect(await send('/tax', fields, { 'cf-ipcountry': 'FR' })).toBe('')
    expect(state.updates).toEqual([{ billingCountry: 'DE', billingTaxId: 'DE123', customerCountry: 'FR' }])
    expect(await send('/tax', { country: '', tax_id: '' })).toBe('&notice=country')
    state.failure = errors.conflict('processing')
    expect(await send('/tax', { country: 'FR', tax_id: '' })).toBe('&notice=tax-busy')
    state.failure = errors.validationFailed([violation('billing_country', 'enum', 'x')])
    expect(await send('/tax', { country: 'ZZ', tax_id: '' })).toBe('&notice=country')
    expect(state.updates).toHaveLength(1)
  })

  it('says why a tax id changes nothing', async () => {
    const withCheck = (taxIdCheck: TaxIdCheck): Session => ({ ...taxed, tax: { ...german, evidence: { taxIdCheck } } })
    state.updated = withCheck(TaxIdCheck.INVALID)
    expect(await send('/tax', { country: 'DE', tax_id: 'DE1' })).toBe('&notice=tax-id')
    state.session = state.updated
    expect(await show()).toContain('This is not a valid VAT number in the chosen country')
    state.session = withCheck(TaxIdCheck.UNCONFIRMED)
    expect(await show()).toContain('This VAT number cannot be confirmed at the moment')
  })

  it('starts no payment before the shopper has seen the total of the chosen country', async () => {
    expect(await pay({ country: 'DE', tax_id: '' }, '1000')).toBe('&notice=total')
    expect(state.payments).toEqual([])
    state.session = taxed
    await pay({ country: 'DE', tax_id: '' })
    // Neither the country nor the tax id has changed.
    expect(state.updates).toHaveLength(1)
    expect(state.payments).toMatchObject([
      { billingDetails: { billingName: 'Robin', billingAddress: { country: 'DE', city: 'Bonn' } } },
    ])
  })

  it('passes the country to the payment when the total stays the same', async () => {
    state.updated = { ...session, tax: { ...german, inclusive: true } }
    await pay({ country: 'DE', tax_id: 'DE136695976' }, '1000')
    expect(state.payments).toMatchObject([
      { billingDetails: { billingTaxId: 'DE136695976', billingAddress: { country: 'DE' } } },
    ])
  })

  it('asks for the country if a form has none', async () => {
    state.failure = errors.validationFailed([violation('customer_details.billing_address.country', 'required', 'x')])
    expect(await pay({}, '1000')).toBe('&notice=country')
    expect(await show('&notice=country')).toContain('Choose your country, because it determines the tax.')
  })
})

describe('the checkout of a store that charges no taxes', () => {
  it('has no fields for taxes and says nothing about them', async () => {
    state.mode = TaxMode.NONE
    const body = await show('', { 'cf-ipcountry': 'AT' })
    expect(body).not.toContain('name="country"')
    expect(body).not.toMatch(/no tax|tax is/i)
    expect(totalsIn(body)).toEqual(['Total: €10.00'])
  })
})

describe('the receipt of a taxed order', () => {
  it('names the invoice, the seller and the tax', async () => {
    const lines = [
      { name: 'VIP', quantity: 1, unitPrice: 1000n, totalAmount: 1000n, netAmount: 1000n, taxAmount: 190n },
    ]
    const amounts = { currency: 'eur', lines, subtotalAmount: 1000n, totalAmount: 1190n }
    state.session = taxed
    state.order = { id: '7', number: 7n, invoiceNumber: '2026-000003', ...amounts, tax: german }
    const { body } = await pages.send({ path: `/receipt?t=${token}` })
    expect(body).toContain('<dt>Invoice number</dt><dd>2026-000003</dd>')
    expect(body).toContain('<span class="address-line">Isles GmbH</span><span class="address-line">Weg 1</span>')
    expect(body).toContain('Tax ID DE123</span>')
    expect(totalsIn(body)).toEqual(['Subtotal: €10.00', 'MwSt. (19%): €1.90', 'Total: €11.90'])
    state.order = { ...state.order, invoiceNumber: '', totalAmount: 1000n }
    delete state.order.invoiceNumber
    delete state.order.tax
    expect((await pages.send({ path: `/receipt?t=${token}` })).body).not.toContain('Invoice number')
  })
})
