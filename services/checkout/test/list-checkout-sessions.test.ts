import { operator, readPages, violationsOf } from '@storekeep/common/testing'
import { CheckoutSessionStatus as Status } from '@storekeep/proto/checkout/v1/checkout_session'
import { describe, expect, it } from 'vitest'
import { copySession, createTestSession, inline, inStore, newBuyer, ofProduct, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()

type List = Parameters<typeof checkouts.client.listCheckoutSessions>[0]

async function idsOf(request: List, options: ReturnType<typeof inStore>) {
  const { sessions } = await checkouts.client.listCheckoutSessions(request, options)
  return sessions.map(({ id }) => id)
}

describe('ListCheckoutSessions', () => {
  it('returns the sessions of the store, newest first, page by page', async () => {
    const buyer = newBuyer(checkouts)
    await createTestSession(checkouts, newBuyer(checkouts))
    const created = []
    for (let count = 0; count < 5; count += 1) created.push(await createTestSession(checkouts, buyer))
    const ids = created.map(({ id }) => id).toReversed()
    const first = await checkouts.client.listCheckoutSessions({ page: { limit: 2 } }, buyer.options)
    expect(first.sessions.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(first.page).toMatchObject({ hasNext: true, hasPrevious: false })
    expect(await idsOf({ page: { limit: 100, after: ids[1] ?? '' } }, buyer.options)).toEqual(ids.slice(2))
    expect(await idsOf({ page: { limit: 2, asc: true } }, buyer.options)).toEqual(ids.toReversed().slice(0, 2))
  })

  it('returns sessions without customer details and inline products', async () => {
    const buyer = newBuyer(checkouts)
    const productId = await checkouts.addProduct(buyer.options)
    const long = { customerDetails: { billingName: 'Robin' }, metadata: { a: 'b' } }
    const lines = [inline({}, { payoutSplits: [{ payoutId: 'p1' }] }), ofProduct(productId, { quantity: 3 })]
    const created = await createTestSession(checkouts, buyer, { ...long, lines })
    const { sessions } = await checkouts.client.listCheckoutSessions({}, buyer.options)
    const { customerDetails: _details, ...rest } = created
    const listedLines = created.lines.map(({ inlineProduct: _product, ...line }) => line)
    expect(sessions).toEqual([{ ...rest, lines: listedLines }])
  })

  it('filters by customer and by current status', async () => {
    const buyer = newBuyer(checkouts)
    const { options } = buyer
    const other = { options, customerId: checkouts.others.customers.add(options.storeId) }
    const asOperator = { ...operator(), storeId: options.storeId }
    const [paid, left, over] = [
      await createTestSession(checkouts, buyer),
      await createTestSession(checkouts, buyer),
      await createTestSession(checkouts, other),
    ]
    await checkouts.client.completeCheckoutSession({ checkoutId: paid.id }, asOperator)
    await checkouts.client.cancelCheckoutSession({ checkoutId: left.id }, asOperator)
    checkouts.clock.advance(24 * 3_600_000)
    const open = await createTestSession(checkouts, buyer)
    expect(await idsOf({ customerId: buyer.customerId }, options)).toEqual([open.id, left.id, paid.id])
    expect(await idsOf({ customerId: buyer.customerId, status: Status.OPEN }, options)).toEqual([open.id])
    expect(await idsOf({ status: Status.COMPLETED }, options)).toEqual([paid.id])
    expect(await idsOf({ status: Status.CANCELED }, options)).toEqual([left.id])
    expect(await idsOf({ status: Status.EXPIRED }, options)).toEqual([over.id])
    expect(await idsOf({ status: Status.OPEN }, options)).toEqual([open.id])
  })

  it('returns a page of the longest possible sessions in parts', async () => {
    const buyer = newBuyer(checkouts)
    const value = '🦀'.repeat(500)
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}`, value]))
    const lines = Array.from({ length: 5 }, () => inline({}, { metadata }))
    const session = await createTestSession(checkouts, buyer, { lines })
    const copies = await copySession(checkouts.database, session, 17)
    const pages = await readPages(async (page) => {
      const { sessions, page: info } = await checkouts.client.listCheckoutSessions({ page }, buyer.options)
      return { items: sessions, page: info }
    })
    expect(pages.flat()).toEqual([...copies, session.id])
    expect(pages.length).toBeGreaterThan(1)
  })

  it('rejects invalid filters and pages', async () => {
    expect(
      await violationsOf(checkouts.client.listCheckoutSessions({ customerId: 'x', status: 0 }, inStore())),
    ).toEqual(['status enum', 'customer_id format'])
    expect(await violationsOf(checkouts.client.listCheckoutSessions({ page: { limit: 101 } }, inStore()))).toEqual([
      'limit max',
    ])
  })
})
