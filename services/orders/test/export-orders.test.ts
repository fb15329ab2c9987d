import { fromBinary } from '@bufbuild/protobuf'
import { exportAll } from '@storekeep/common/testing'
import { OrderSchema } from '@storekeep/proto/orders/v1/order'
import { expect, it } from 'vitest'
import { createOrder, useOrders } from './harness.ts'

const orders = useOrders()

it('orders are exported in the state of their last event, with the details that events lack', async () => {
  const { order, options } = await createOrder(orders, { customerDetails: { billingEmail: 'robin@example.com' } })
  await orders.orders.createRefund({ orderId: order.id, amount: 500n }, options)
  const { order: refunded } = await orders.orders.getOrder({ orderId: order.id }, options)
  const other = await createOrder(orders)
  const { records, pages } = await exportAll(orders.running, 'order', 1)
  expect(pages).toBeGreaterThan(1)
  const exported = new Map(records.map(({ id, record }) => [id, fromBinary(OrderSchema, record)]))
  expect(Object.fromEntries(exported)).toEqual({ [order.id]: refunded, [other.order.id]: other.order })
  expect(exported.get(order.id)).toMatchObject({ version: 2n, billingDetails: { billingEmail: 'robin@example.com' } })
})
