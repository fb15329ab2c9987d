import { eventsOf, faultOf, randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { OrderStatus, RefundStatus, TimelineKind } from '@storekeep/proto/orders/v1/order'
import { TestPaymentAction as Action } from '@storekeep/proto/orders/v1/payments_service'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { act, createOrder, inStore, useOrders } from './harness.ts'

const orders = useOrders()

describe('CreateRefund', () => {
  it('refunds an amount, then units of a line, then the rest', async () => {
    const { order, options } = await createOrder(orders)
    const refund = (fields: object) => orders.orders.createRefund({ orderId: order.id, ...fields }, options)
    const first = await refund({ amount: 1n, reason: 'Late' })
    expect(first.refund).toMatchObject({ status: RefundStatus.SUCCEEDED, amount: 1n, reason: 'Late' })
    const units = await refund({ lines: [{ position: 1, quantity: 1 }] })
    expect(units.refund).toMatchObject({ amount: 1000n, lines: [{ position: 1, quantity: 1 }] })
    expect((await orders.orders.getOrder({ orderId: order.id }, options)).order).toMatchObject({
      status: OrderStatus.PARTIALLY_REFUNDED,
      refundedAmount: 1001n,
    })
    expect((await refund({})).refund).toMatchObject({ amount: 999n })
    const { order: refunded } = await orders.orders.getOrder({ orderId: order.id }, options)
    expect(refunded).toMatchObject({ status: OrderStatus.REFUNDED, refundedAmount: 2000n, version: 4n })
    expect(await faultOf(refund({}))).toMatchObject({ code: 'conflict' })
    const types = (await eventsOf(orders, order.id)).map(({ type }) => type)
    expect(types).toEqual(['order.created', 'order.refunded', 'order.refunded', 'order.refunded'])
    const { entries } = await orders.orders.listTimeline({ orderId: order.id }, options)
    const kinds = [TimelineKind.REFUND_REQUESTED, TimelineKind.REFUND_SUCCEEDED]
    expect(entries.map(({ kind }) => kind)).toEqual([TimelineKind.PAID, ...kinds, ...kinds, ...kinds])
  })

  it('never refunds more than was paid, regardless of concurrent calls', async () => {
    const { order, options } = await createOrder(orders)
    const calls = Array.from({ length: 12 }, () =>
      orders.orders.createRefund({ orderId: order.id, amount: 300n }, options),
    )
    const results = await Promise.allSettled(calls)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
    const { order: after } = await orders.orders.getOrder({ orderId: order.id }, options)
    expect(after?.refundedAmount).toBe(1800n)
  })

  it('refunds once for calls with the same Idempotency-Key', async () => {
    const { order, options } = await createOrder(orders)
    const keyed = withKey(options)
    const refund = () => orders.orders.createRefund({ orderId: order.id, amount: 300n }, keyed)
    const first = await refund()
    expect((await refund()).refund?.id).toBe(first.refund?.id)
    const { order: after } = await orders.orders.getOrder({ orderId: order.id }, options)
    expect(after?.refundedAmount).toBe(300n)
  })

  it('rejects more refunds than the timeline of an order can show', async () => {
    const { order, options } = await createOrder(orders)
    const { storeId } = options
    const insert = (count: number) =>
      orders.database.query(sql`
        insert into refund (store_id, payment_id, order_id, amount, lines, status, created_by, created_at)
        select store_id, payment_id, id, 1, '[]', 'failed', 'internal', now()
        from store_order, generate_series(1, ${count}) where store_id = ${storeId} and id = ${order.id}`)
    const refund = () => orders.orders.createRefund({ orderId: order.id, amount: 1n }, options)
    await insert(499)
    await refund()
    expect(await faultOf(refund())).toMatchObject({ code: 'conflict', message: expect.stringContaining('500 refunds') })
  })

  it('names what is wrong, and finds no order of another store', async () => {
    const { order, options } = await createOrder(orders)
    const refund = (fields: object, as = options) => orders.orders.createRefund({ orderId: order.id, ...fields }, as)
    const line = { position: 1, quantity: 1 }
    expect(await violationsOf(refund({ amount: 0n, lines: [line, { ...line, quantity: 0 }] }))).toEqual([
      'lines exclusive',
      'amount min',
      'lines.1.quantity min',
      'lines.1.position unique',
    ])
    expect(await violationsOf(refund({ lines: [{ position: 2, quantity: 1 }] }))).toEqual([
      'lines.0.position reference',
    ])
    expect(await violationsOf(refund({ lines: [{ position: 1, quantity: 3 }] }))).toEqual(['lines.0.quantity max'])
    expect(await faultOf(refund({ amount: 2001n }))).toMatchObject({ code: 'conflict' })
    expect(await faultOf(refund({}, inStore(randomId())))).toMatchObject({ code: 'not-found' })
  })
})

describe('a chargeback', () => {
  it('is recorded once, says whether to ban the customer, and prevents refunds', async () => {
    const { order, payment, options } = await createOrder(orders)
    await orders.client.updatePaymentSettings({ banOnChargeback: true }, options)
    await act(orders, payment, Action.CHARGE_BACK)
    await act(orders, payment, Action.CHARGE_BACK)
    const { order: after } = await orders.orders.getOrder({ orderId: order.id }, options)
    expect(after).toMatchObject({ status: OrderStatus.CHARGED_BACK, version: 2n })
    const [, event, ...others] = await eventsOf(orders, order.id)
    expect(event).toMatchObject({ type: 'order.charged_back', message: { banCustomer: true } })
    expect(others).toEqual([])
    const rejected = orders.orders.createRefund({ orderId: order.id }, options)
    expect(await faultOf(rejected)).toMatchObject({ code: 'conflict' })
  })
})

describe('ListRefunds', () => {
  it('lists refunds by order and status, newest first and page by page, in their store only', async () => {
    const { order, options } = await createOrder(orders)
    const { storeId } = options
    const other = await createOrder(orders, { storeId })
    await createOrder(orders).then((elsewhere) =>
      orders.orders.createRefund({ orderId: elsewhere.order.id, amount: 1n }, elsewhere.options),
    )
    const refund = async (orderId: string, amount: bigint) =>
      (await orders.orders.createRefund({ orderId, amount }, options)).refund
    const [first, second, third] = [
      await refund(order.id, 100n),
      await refund(other.order.id, 200n),
      await refund(order.id, 300n),
    ]
    await orders.database.query(
      sql`update refund set status = 'failed' where store_id = ${storeId} and id = ${third?.id}`,
    )
    const list = async (request: object) => (await orders.orders.listRefunds(request, inStore(storeId))).refunds
    expect(await list({})).toEqual([{ ...third, status: RefundStatus.FAILED }, second, first])
    const ids = async (request: object) => (await list(request)).map(({ id }) => id)
    expect(await ids({ orderId: order.id })).toEqual([third?.id, first?.id])
    expect(await ids({ status: RefundStatus.SUCCEEDED })).toEqual([second?.id, first?.id])
    expect(await ids({ status: RefundStatus.FAILED, orderId: other.order.id })).toEqual([])
    expect(await ids({ page: { limit: 1, after: second?.id } })).toEqual([first?.id])
    const wrong = { status: RefundStatus.UNSPECIFIED, orderId: 'x' }
    expect(await violationsOf(list(wrong))).toEqual(['status enum', 'order_id format'])
  })
})
