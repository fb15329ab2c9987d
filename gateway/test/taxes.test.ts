import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { CheckoutSessionStatus, TaxIdCheck } from '@storekeep/proto/checkout/v1/checkout_session'
import { describe, expect, it } from 'vitest'
import { line } from './checkout-orders.ts'
import { useGateway } from './harness.ts'

const gateway = useGateway()

describe('GET /tax-report', () => {
  it('passes the days and the time zone of the store to the service, and returns gross amounts', async () => {
    const store = gateway.newStore()
    gateway.services.overrides.getStore = async () => ({ store: { id: store.id, timeZone: 'Europe/Berlin' } })
    const { status, body } = await store.send('GET', '/tax-report?from=2026-01-01&to=2026-12-31')
    expect(status).toBe(200)
    expect(gateway.received()).toMatchObject({ from: '2026-01-01', to: '2026-12-31', timeZone: 'Europe/Berlin' })
    expect(body).toEqual({
      from: '2026-01-01',
      to: '2026-12-31',
      time_zone: 'Europe/Berlin',
      rows: [
        {
          ...{ currency: 'eur', country: 'DE', rate: 1900, name: null, reverse_charge: false, orders: 2 },
          ...{ net_amount: 2000, tax_amount: 380, gross_amount: 2380 },
          ...{ refunded_net_amount: 1000, refunded_tax_amount: 190, refunded_gross_amount: 1190 },
        },
      ],
    })
  })

  it('names days that are missing or no dates', async () => {
    const { status, body } = await gateway.newStore().send('GET', '/tax-report?to=2026-1-1')
    expect(status).toBe(400)
    const { errors } = body as { errors: { path: string; validation: string }[] }
    expect(errors.map(({ path, validation }) => `${path} ${validation}`)).toEqual(['from required', 'to format'])
  })
})

describe('GET /tax-rates', () => {
  it('returns the rates and the day of the data', async () => {
    const { body } = await gateway.newStore().send('GET', '/tax-rates')
    expect(body).toEqual({ as_of: '2026-05-19', rates: [{ country: 'AT', rate: 2000 }] })
  })
})

describe('POST /checkouts', () => {
  it('passes the country of the address of the customer to the service', async () => {
    const json = { customer_id: '5', lines: [line] }
    const headers = { 'x-service-customer-countrycode': 'de' }
    await gateway.newStore().send('POST', '/checkouts', { json, headers })
    expect(gateway.received()).toMatchObject({ customerCountry: 'DE' })
  })
})

const evidence = { billingCountry: 'DE', ipCountry: 'AT', taxIdCheck: TaxIdCheck.WELL_FORMED }
const tax = { country: 'DE', rate: 1900, name: 'VAT', netAmount: 1000n, taxAmount: 190n, timeZone: 'UTC', evidence }
const taxedLine = { name: 'VIP', quantity: 1, netAmount: 1000n, taxAmount: 190n, taxRate: 1900, taxName: 'VAT' }

describe('a taxed record', () => {
  it('has net, tax and gross of its lines and of the total, and the evidence', async () => {
    const time = timestampFromDate(new Date('2026-11-20T15:00:00.000Z'))
    const session = {
      id: '5',
      storeId: '4',
      customerId: '3',
      status: CheckoutSessionStatus.OPEN,
      lines: [taxedLine],
      tax,
    }
    gateway.services.overrides.getCheckoutSession = async () => ({
      session: { ...session, createdAt: time, expiresAt: time },
    })
    const { body } = await gateway.newStore().send('GET', '/checkouts/5')
    expect(body).toMatchObject({
      ...{ net_amount: 1000, tax_amount: 190, tax_country: 'DE', tax_rate: 1900, tax_name: 'VAT' },
      ...{ tax_included: false, reverse_charge: false },
      tax_evidence: { billing_country: 'DE', ip_country: 'AT', tax_id_check: 'well_formed' },
      lines: [{ net_amount: 1000, tax_amount: 190, gross_amount: 1190, tax_rate: 1900, tax_name: 'VAT' }],
    })
  })
})
