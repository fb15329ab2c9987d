import { eventsOf, randomId, violationsOf } from '@storekeep/common/testing'
import type { Order } from '@storekeep/proto/orders/v1/order'
import { TestPaymentAction as Action } from '@storekeep/proto/orders/v1/payments_service'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { FakeSession } from './fake-checkout.ts'
import { act, asShopper, countOrders, createOrder, inStore, start, useOrders } from './harness.ts'

const orders = useOrders()
const { checkout } = orders

/** Two lines of 10.00 and 5.00 to which 19 % are added. */
function taxed(fields: Partial<FakeSession> = {}, timeZone = 'Europe/Berlin'): Partial<FakeSession> {
  const rate = { taxRate: 1900, taxName: 'VAT' }
  return {
    lines: [
      { name: 'VIP', quantity: 2, unitPrice: 500n, totalAmount: 1000n, netAmount: 1000n, taxAmount: 190n, ...rate },
      { name: 'Kit', quantity: 1, unitPrice: 500n, totalAmount: 500n, netAmount: 500n, taxAmount: 95n, ...rate },
    ],
    subtotalAmount: 1500n,
    totalAmount: 1785n,
    tax: { country: 'DE', rate: 1900, name: 'VAT', netAmount: 1500n, taxAmount: 285n, timeZone, evidence: {} },
    ...fields,
  }
}

async function reportOf(storeId: string, from: string, to = from, timeZone = 'UTC') {
  return (await orders.orders.getTaxReport({ from, to, timeZone }, inStore(storeId))).rows
}

describe('the order of a taxed session', () => {
  it('has its tax and the number of an invoice, and so has its event', async () => {
    const { order } = await createOrder(orders, taxed())
    const year = orders.clock.now().getUTCFullYear()
    expect(order).toMatchObject({ invoiceNumber: `${year}-000001`, totalAmount: 1785n })
    expect(order.tax).toMatchObject({ country: 'DE', rate: 1900, netAmount: 1500n, taxAmount: 285n, inclusive: false })
    expect(order.lines).toMatchObject([{ netAmount: 1000n, taxAmount: 190n, taxRate: 1900 }, { netAmount: 500n }])
    const [event] = await eventsOf(orders, order.id)
    expect(event).toMatchObject({
      message: { order: { invoiceNumber: order.invoiceNumber, tax: { taxAmount: 285n } } },
    })
  })

  it('is numbered after the invoices of its store and year, in the time zone of the store', async () => {
    const storeId = randomId()
    const in2027 = async (hours: number, timeZone?: string) => {
      const time = Date.parse('2027-01-01T00:00:00Z') + hours * 3_600_000
      orders.clock.advance(time - orders.clock.now().getTime())
      return (await createOrder(orders, taxed({ storeId }, timeZone))).order.invoiceNumber
    }
    expect(await in2027(-2, 'Europe/Berlin')).toBe('2026-000001')
    expect(await in2027(-1, 'Europe/Berlin')).toBe('2027-000001')
    expect(await in2027(1, 'Europe/Berlin')).toBe('2027-000002')
    expect(await in2027(2, 'America/New_York')).toBe('2026-000002')
    expect((await createOrder(orders, taxed())).order.invoiceNumber).toBe('2027-000001')
  })

  it('without tax has neither, and takes no number of an invoice', async () => {
    const storeId = randomId()
    const numberOf = async (fields: Partial<FakeSession>) => {
      const { order } = await createOrder(orders, { storeId, ...fields })
      return [String(order.number), order.invoiceNumber?.slice(5)]
    }
    expect(await numberOf(taxed())).toEqual(['1', '000001'])
    expect(await numberOf({})).toEqual(['2', undefined])
    expect(await numberOf(taxed())).toEqual(['3', '000002'])
  })

  it('leaves no gap in the numbers of invoices, even if orders are created concurrently and transactions fail', async () => {
    const storeId = randomId()
    // The last payments fail within the transaction that has taken a number.
    await orders.database.query(sql`
      alter table store_order add constraint rejected check (metadata ->> 'fails' is null) not valid`)
    const pay = async (index: number) => {
      const session = checkout.add(storeId, taxed({ metadata: index % 3 === 0 ? { fails: 'yes' } : {} }))
      return await act(orders, await start(orders, session), Action.APPROVE)
    }
    await Promise.all(Array.from({ length: 30 }, (_, index) => pay(index)))
    expect(await countOrders(orders, storeId)).toBe(20)
    const numbers = async () => {
      const { orders: all } = await orders.orders.listOrders({ page: { limit: 100, asc: true } }, inStore(storeId))
      return all.map(({ invoiceNumber }) => Number(invoiceNumber?.slice(5))).sort((a, b) => a - b)
    }
    expect(await numbers()).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    // The task creates the other orders as soon as it can.
    await orders.database.query(sql`alter table store_order drop constraint rejected`)
    await expect.poll(() => countOrders(orders, storeId), { timeout: 30_000 }).toBe(30)
    expect(await numbers()).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
  })
})

describe('the refund of a taxed order', () => {
  it('splits into net and tax: units by the tax of their line, amounts in proportion, the last one the rest', async () => {
    const { order, options } = await createOrder(orders, taxed())
    const refund = async (fields: object) => {
      const { refund: made } = await orders.orders.createRefund({ orderId: order.id, ...fields }, options)
      return [made?.amount, made?.netAmount, made?.taxAmount]
    }
    expect(await refund({ lines: [{ position: 2, quantity: 1 }] })).toEqual([595n, 500n, 95n])
    expect(await refund({ amount: 119n })).toEqual([119n, 100n, 19n])
    expect(await refund({})).toEqual([1071n, 900n, 171n])
    const [, event] = await eventsOf(orders, order.id)
    expect(event).toMatchObject({ message: { refund: { netAmount: 500n, taxAmount: 95n } } })
  })

  it('of an order without tax is not split', async () => {
    const { order, options } = await createOrder(orders)
    const { refund } = await orders.orders.createRefund({ orderId: order.id }, options)
    expect(refund?.taxAmount).toBeUndefined()
  })
})

describe('GetTaxReport', () => {
  it('sums sales and refunds by country and rate, in the days of the time zone', async () => {
    const storeId = randomId()
    const at = (time: string) => orders.clock.advance(Date.parse(time) - orders.clock.now().getTime())
    const sell = async (fields: Partial<FakeSession> = {}) =>
      (await createOrder(orders, taxed({ storeId, ...fields }))).order
    const refund = ({ id: orderId }: Order, amount: bigint) =>
      orders.orders.createRefund({ orderId, amount }, inStore(storeId))
    at('2028-03-01T12:00:00Z')
    const first = await sell()
    await sell()
    await refund(first, 119n)
    const business = { country: 'FR', reverseCharge: true, netAmount: 1500n, taxAmount: 0n, evidence: {} }
    const lines = [{ name: 'VIP', quantity: 1, unitPrice: 1500n, totalAmount: 1500n, netAmount: 1500n, taxAmount: 0n }]
    await sell({ tax: business, lines, totalAmount: 1500n })
    await createOrder(orders, { storeId })
    const german = { currency: 'eur', country: 'DE', rate: 1900, name: 'VAT', reverseCharge: false }
    expect(await reportOf(storeId, '2028-03-01')).toMatchObject([
      { ...german, orders: 2n, netAmount: 3000n, taxAmount: 570n, refundedNetAmount: 100n, refundedTaxAmount: 19n },
      { country: 'FR', rate: 0, reverseCharge: true, orders: 1n, netAmount: 1500n, taxAmount: 0n },
    ])
    // The evening in New York is the next day in UTC.
    at('2028-03-02T03:00:00Z')
    await refund(first, 119n)
    await sell()
    const next = { ...german, orders: 1n, netAmount: 1500n, refundedTaxAmount: 19n }
    expect(await reportOf(storeId, '2028-03-02')).toMatchObject([next])
    expect(await reportOf(storeId, '2028-03-02', '2028-03-02', 'America/New_York')).toEqual([])
    expect(await reportOf(storeId, '2028-03-01', '2028-03-02')).toMatchObject([
      { ...german, orders: 3n, taxAmount: 855n, refundedTaxAmount: 38n },
      { country: 'FR' },
    ])
    expect(await reportOf(randomId(), '2028-03-01', '2028-03-02')).toEqual([])
  })

  it('names what is wrong', async () => {
    const storeId = randomId()
    expect(await violationsOf(reportOf(storeId, '2028-02-30', '2028-3-1', 'Nowhere/Land'))).toEqual([
      'from format',
      'to format',
      'time_zone format',
    ])
    expect(await violationsOf(reportOf(storeId, '2028-03-02', '2028-03-01'))).toEqual(['to min'])
    expect(await violationsOf(reportOf(storeId, '2028-01-01', '2029-01-01'))).toEqual(['to max'])
    expect(await reportOf(storeId, '2028-01-01', '2028-12-31')).toEqual([])
  })
})

describe('the renewal of a taxed subscription', () => {
  const monthly = {
    ...{ name: 'VIP', quantity: 1, unitPrice: 1000n, totalAmount: 1000n, netAmount: 1000n, taxAmount: 190n },
    ...{ subscription: true, taxRate: 1900, taxName: 'VAT' },
  }
  const tax = { country: 'DE', rate: 1900, name: 'VAT', netAmount: 1000n, taxAmount: 190n, evidence: {} }
  const customerDetails = { billingTaxId: 'DE136695976', billingAddress: { country: 'DE' } }

  async function subscribe(fields: Partial<FakeSession> = {}) {
    const amounts = { lines: [monthly], subtotalAmount: 1000n, totalAmount: 1190n, tax, customerDetails }
    const session = checkout.addSubscription(randomId(), { ...amounts, ...fields })
    const payment = await act(orders, await start(orders, session), Action.APPROVE)
    const options = inStore(session.storeId)
    const { order } = await orders.orders.getOrder({ orderId: payment.orderId ?? '' }, options)
    const subscriptionId = order?.subscriptionId ?? ''
    const portalSecret = orders.customers.signIn(session)
    const read = async () => (await orders.subscriptions.getSubscription({ subscriptionId }, options)).subscription
    return {
      read,
      async renew(): Promise<Order | undefined> {
        const end = (await read())?.currentPeriodEnd
        const request = { portalSecret, subscriptionId, approve: true, ...(end && { currentPeriodEnd: end }) }
        await orders.subscriptions.advanceTestSubscription(request, asShopper(session.storeId))
        return (await orders.orders.listOrders({ subscriptionId }, options)).orders[0]
      },
    }
  }

  it('costs the same, and contains the tax of its time', async () => {
    const { read, renew } = await subscribe()
    expect(await read()).toMatchObject({ renewalAmount: 1190n, addedTaxRate: 1900 })
    // Rates can change, so the subscription itself has none.
    expect((await read())?.lines[0]?.taxAmount).toBeUndefined()
    checkout.renewalTax = { country: 'DE', rate: 1900, name: 'VAT', timeZone: 'Europe/Berlin', evidence: {} }
    const same = await renew()
    expect(checkout.taxRequests.at(-1)).toEqual({ billingCountry: 'DE', billingTaxId: 'DE136695976' })
    expect(same).toMatchObject({ subtotalAmount: 1000n, discountAmount: 0n, totalAmount: 1190n })
    expect(same).toMatchObject({
      tax: { netAmount: 1000n, taxAmount: 190n },
      invoiceNumber: expect.stringMatching(/-000002$/),
    })
    expect(same?.lines).toMatchObject([{ netAmount: 1000n, taxAmount: 190n, taxRate: 1900, taxName: 'VAT' }])
    checkout.renewalTax.rate = 2500
    expect(await renew()).toMatchObject({ totalAmount: 1190n, tax: { rate: 2500, netAmount: 952n, taxAmount: 238n } })
    checkout.renewalTax = undefined
    expect(await renew()).toMatchObject({ totalAmount: 1190n, subtotalAmount: 1190n })
    expect((await read())?.renewalAmount).toBe(1190n)
  })

  it('of prices that contain the tax contains it, too', async () => {
    const line = { ...monthly, netAmount: 840n, taxAmount: 160n }
    const { read, renew } = await subscribe({
      lines: [line],
      totalAmount: 1000n,
      tax: { ...tax, inclusive: true, netAmount: 840n, taxAmount: 160n },
    })
    expect(await read()).toMatchObject({ renewalAmount: 1000n })
    expect((await read())?.addedTaxRate).toBeUndefined()
    checkout.renewalTax = { country: 'DE', rate: 1900, name: 'VAT', evidence: {} }
    expect(await renew()).toMatchObject({
      totalAmount: 1000n,
      subtotalAmount: 1000n,
      tax: { inclusive: true, netAmount: 840n, taxAmount: 160n },
    })
  })
})
