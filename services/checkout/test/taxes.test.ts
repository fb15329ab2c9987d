import { eventsOf, faultOf, internal, randomId, violationsOf } from '@storekeep/common/testing'
import { TaxIdCheck } from '@storekeep/proto/checkout/v1/checkout_session'
import { type StoreTaxSchema, TaxMode } from '@storekeep/proto/stores/v1/store'
import { describe, expect, it } from 'vitest'
import type { Init } from './fake-others.ts'
import { inline, inStore, newBuyer, type Request, shopper, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
const { stores, coupons } = checkouts.others

const registrations = [
  { country: 'DE', name: 'MwSt.' },
  { country: 'FR', rate: 1000, name: 'TVA' },
]
const exclusive: Init<typeof StoreTaxSchema> = { mode: TaxMode.EXCLUSIVE, country: 'DE', registrations }
const inclusive = { ...exclusive, mode: TaxMode.INCLUSIVE }

const from = (country: string, billingTaxId?: string) => ({
  customerDetails: { billingAddress: { country }, ...(billingTaxId !== undefined && { billingTaxId }) },
})

/** A session of 10.00 and 5.00 in a new store that charges taxes, and the calls of its page. */
async function aSession(tax: typeof exclusive, request: Request = {}) {
  const { options, customerId } = newBuyer(checkouts)
  const { storeId } = options
  stores.taxes.set(storeId, tax)
  const lines = [inline(), inline({ price: 500n })]
  const created = await checkouts.client.createCheckoutSession({ customerId, lines, ...request }, options)
  const checkoutId = created.session?.id ?? ''
  const { token } = created
  const of = internal({ storeId })
  const named = { session: { case: 'token' as const, value: token } }
  return {
    id: checkoutId,
    storeId,
    read: async () => (await checkouts.client.getCheckoutSession({ checkoutId }, options)).session,
    update: async (billingCountry: string, billingTaxId?: string, customerCountry?: string) => {
      const given = {
        billingCountry,
        ...(billingTaxId && { billingTaxId }),
        ...(customerCountry && { customerCountry }),
      }
      return (await checkouts.client.updateTaxDetails({ token, ...given }, shopper(storeId))).session
    },
    prepare: (details: object = {}) => checkouts.client.preparePayment({ ...named, ...details }, of),
    apply: async (code: string) => (await checkouts.client.applyCoupon({ token, code }, shopper(storeId))).session,
    edit: async (lines: { position: number; quantity: number }[]) =>
      (await checkouts.client.updateCheckoutLines({ token, lines }, shopper(storeId))).session,
    extend: () => checkouts.client.extendCheckoutSession({ checkoutId }, of),
    complete: (amount: bigint) => {
      const payment = { paymentId: randomId(), orderId: randomId(), amount, currency: 'eur' }
      return checkouts.client.completeCheckoutSession({ checkoutId, payment }, of)
    },
  }
}

describe('the tax of a new session', () => {
  it('is added to the prices, or contained in them', async () => {
    const added = await (await aSession(exclusive, from('DE'))).read()
    expect(added).toMatchObject({ subtotalAmount: 1500n, totalAmount: 1785n })
    expect(added?.tax).toMatchObject({
      inclusive: false,
      country: 'DE',
      rate: 1900,
      name: 'MwSt.',
      timeZone: 'Europe/Berlin',
    })
    expect(added?.tax).toMatchObject({ netAmount: 1500n, taxAmount: 285n, evidence: { billingCountry: 'DE' } })
    const contained = await (await aSession(inclusive, from('DE'))).read()
    expect(contained).toMatchObject({ subtotalAmount: 1500n, totalAmount: 1500n })
    expect(contained?.tax).toMatchObject({ inclusive: true, netAmount: 1260n, taxAmount: 240n })
    expect(contained?.lines).toMatchObject([
      { netAmount: 840n, taxAmount: 160n, taxRate: 1900, taxName: 'MwSt.', totalAmount: 1000n },
      { netAmount: 420n, taxAmount: 80n, taxRate: 1900 },
    ])
  })

  it('is computed on what the discounts leave', async () => {
    const request = { ...from('FR'), couponId: coupons.add(), affiliateCode: coupons.addLink(50n) }
    const session = await (await aSession(exclusive, request)).read()
    // 15.00 less 10 %, less 0.50.
    expect(session).toMatchObject({
      discountAmount: 200n,
      totalAmount: 1430n,
      tax: { netAmount: 1300n, taxAmount: 130n },
    })
    // The affiliate discount is spread over the lines.
    expect(session?.lines).toMatchObject([
      { totalAmount: 900n, netAmount: 866n, taxAmount: 87n },
      { totalAmount: 450n, netAmount: 434n, taxAmount: 43n },
    ])
  })

  it('follows the country of the IP address until the buyer has chosen one, and keeps both', async () => {
    const session = await aSession(exclusive, { customerCountry: 'fr' })
    const before = await session.read()
    expect(before?.tax).toMatchObject({ country: 'FR', taxAmount: 150n, evidence: { ipCountry: 'FR' } })
    const after = await session.update('DE')
    expect(after?.tax).toMatchObject({ country: 'DE', evidence: { billingCountry: 'DE', ipCountry: 'FR' } })
  })

  it('is absent while the country is not known, and in a store that charges no taxes', async () => {
    const unknown = await (await aSession(exclusive, { customerCountry: 'XX' })).read()
    expect(unknown).toMatchObject({ totalAmount: 1500n })
    expect(unknown?.tax).toBeUndefined()
    const none = await (await aSession({ ...exclusive, mode: TaxMode.NONE }, from('DE'))).read()
    expect(none?.tax).toBeUndefined()
    expect(none?.lines[0]?.netAmount).toBeUndefined()
  })
})

describe('UpdateTaxDetails', () => {
  it('changes the tax and the total, and only the country and the tax id of the details', async () => {
    const session = await aSession(exclusive, {
      customerDetails: { billingEmail: 'robin@example.com', billingAddress: { country: 'DE', city: 'Bonn' } },
    })
    const changed = await session.update('FR')
    expect(changed).toMatchObject({ totalAmount: 1650n, version: 2n, tax: { country: 'FR', rate: 1000 } })
    expect(changed?.customerDetails).toMatchObject({
      billingEmail: 'robin@example.com',
      billingAddress: { country: 'FR', city: 'Bonn' },
    })
    // Repeating it changes nothing.
    expect(await session.update('FR')).toEqual(changed)
    const events = await eventsOf(checkouts, session.id)
    expect(events.map(({ type }) => type)).toEqual(['checkout_session.created', 'checkout_session.updated'])
    expect(events[1]).toMatchObject({ message: { session: { totalAmount: 1650n, tax: { country: 'FR' } } } })
  })

  it('charges a business in another country of the EU no tax if its VAT id has the right form', async () => {
    const session = await aSession(exclusive)
    const business = await session.update('FR', 'FR 40 303 265 045')
    expect(business).toMatchObject({ totalAmount: 1500n, tax: { reverseCharge: true, rate: 0, taxAmount: 0n } })
    expect(business?.tax?.evidence).toMatchObject({ taxIdCheck: TaxIdCheck.WELL_FORMED })
    const mistyped = await session.update('FR', 'FR 40 303 265 046')
    expect(mistyped).toMatchObject({ totalAmount: 1650n, tax: { reverseCharge: false, rate: 1000 } })
    expect(mistyped?.tax?.evidence).toMatchObject({ taxIdCheck: TaxIdCheck.INVALID })
    const domestic = await session.update('DE', 'DE136695976')
    expect(domestic).toMatchObject({ totalAmount: 1785n, tax: { reverseCharge: false, rate: 1900 } })
    const greek = await session.update('GR', '094259216')
    expect(greek).toMatchObject({ totalAmount: 1500n, tax: { reverseCharge: true } })
    const foreign = await session.update('US', '12-3456789')
    expect(foreign).toMatchObject({ totalAmount: 1500n, tax: { reverseCharge: false, rate: 0 } })
  })

  it('names what is wrong, and rejects sessions whose total the payer may have sent', async () => {
    const session = await aSession(exclusive, from('DE'))
    expect(await violationsOf(session.update('ZZ'))).toEqual(['billing_country enum'])
    expect(await violationsOf(session.update('DE', 'x'.repeat(300)))).toEqual(['billing_tax_id length'])
    await session.extend()
    expect(await faultOf(session.update('FR'))).toMatchObject({ code: 'conflict' })
    await session.complete(1785n)
    expect(await faultOf(session.update('FR'))).toMatchObject({ code: 'conflict' })
  })
})

describe('the coupon of a taxed session', () => {
  it('changes the tax, too', async () => {
    const session = await aSession(exclusive, from('DE'))
    const couponId = coupons.add()
    const discounted = await session.apply(coupons.codeOf(couponId))
    expect(discounted).toMatchObject({ totalAmount: 1607n, tax: { netAmount: 1350n, taxAmount: 257n } })
  })

  it('leaves the tax of the country that the buyer chose meanwhile', async () => {
    const session = await aSession(exclusive, from('DE'))
    coupons.afterReserve = async () => {
      coupons.afterReserve = async () => {}
      await session.update('FR')
    }
    const code = coupons.codeOf(coupons.add())
    expect(await session.apply(code)).toMatchObject({ totalAmount: 1485n, tax: { country: 'FR', taxAmount: 135n } })
  })
})

describe('the lines of a taxed session', () => {
  it('change the tax when the buyer changes them', async () => {
    const session = await aSession(exclusive, { ...from('DE'), editable: true })
    const changed = await session.edit([{ position: 2, quantity: 3 }])
    expect(changed).toMatchObject({ totalAmount: 2975n, tax: { netAmount: 2500n, taxAmount: 475n } })
    expect(changed?.lines).toMatchObject([{ taxAmount: 190n }, { netAmount: 1500n, taxAmount: 285n }])
    expect(await session.read()).toEqual(changed)
  })
})

describe('PreparePayment', () => {
  it('requires the country of the buyer, unless nothing is due', async () => {
    const session = await aSession(exclusive)
    expect(await violationsOf(session.prepare())).toEqual(['customer_details.billing_address.country required'])
    const { session: prepared } = await session.prepare(from('DE'))
    expect(prepared).toMatchObject({ totalAmount: 1785n, tax: { country: 'DE' } })
    const free = await aSession(exclusive, { lines: [inline({ price: 0n })] })
    expect((await free.prepare()).session).toMatchObject({ totalAmount: 0n })
  })

  it('determines the tax again by the current settings, but not while a payment is processing', async () => {
    const session = await aSession(exclusive, from('DE'))
    const processing = await aSession(exclusive, from('DE'))
    await processing.extend()
    for (const { storeId } of [session, processing]) {
      stores.taxes.set(storeId, { ...exclusive, registrations: [{ country: 'DE', rate: 2500, name: 'MwSt.' }] })
    }
    // Settings are cached for a few seconds.
    checkouts.clock.advance(6000)
    expect((await session.prepare()).session).toMatchObject({ totalAmount: 1875n, tax: { rate: 2500 } })
    expect((await processing.prepare()).session).toMatchObject({ totalAmount: 1785n, tax: { rate: 1900 } })
    expect(await faultOf(processing.prepare(from('FR')))).toMatchObject({ code: 'conflict' })
  })

  it('lets only a payment of the total with tax complete the session', async () => {
    const session = await aSession(exclusive, from('DE'))
    expect(await faultOf(session.complete(1500n))).toMatchObject({ code: 'conflict' })
    expect((await session.complete(1785n)).session).toMatchObject({ tax: { taxAmount: 285n } })
  })
})

describe('DetermineTax', () => {
  it('returns how a purchase is taxed', async () => {
    const { storeId } = await aSession(exclusive)
    const of = internal({ storeId })
    const { tax } = await checkouts.client.determineTax({ billingCountry: 'FR', ipCountry: 'DE' }, of)
    expect(tax).toMatchObject({ country: 'FR', rate: 1000, name: 'TVA', inclusive: false })
    const business = await checkouts.client.determineTax({ billingCountry: 'FR', billingTaxId: 'FR40303265045' }, of)
    expect(business.tax).toMatchObject({ rate: 0, reverseCharge: true })
    expect((await checkouts.client.determineTax({}, of)).tax).toBeUndefined()
    expect(
      (await checkouts.client.determineTax({ billingCountry: 'FR' }, internal({ storeId: randomId() }))).tax,
    ).toBeUndefined()
  })
})

describe('ListTaxRates', () => {
  it('returns the standard rate of each country of the EU, and the day of the data', async () => {
    const { rates, asOf } = await checkouts.client.listTaxRates({}, inStore())
    expect(asOf).toMatch(/^\d{4}-\d\d-\d\d$/)
    const text = rates.map(({ country, rate }) => `${country} ${rate}`).join(' ')
    expect(text).toBe(
      'AT 2000 BE 2100 BG 2000 CY 1900 CZ 2100 DE 1900 DK 2500 EE 2400 ES 2100 FI 2550 FR 2000 GR 2400 HR 2500 HU 2700 ' +
        'IE 2300 IT 2200 LT 2100 LU 1700 LV 2100 MT 1800 NL 2100 PL 2300 PT 2300 RO 2100 SE 2500 SI 2200 SK 2300',
    )
  })
})
