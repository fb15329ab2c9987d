import { fromBinary } from '@bufbuild/protobuf'
import { exportAll } from '@storekeep/common/testing'
import { IntervalScale } from '@storekeep/proto/checkout/v1/product'
import { OrderSchema } from '@storekeep/proto/orders/v1/order'
import { SubscriptionSchema } from '@storekeep/proto/orders/v1/subscription'
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

it('subscriptions are exported as they are read', async () => {
  const monthly = { name: 'VIP', quantity: 1, unitPrice: 1000n, totalAmount: 1000n, subscription: true }
  const subscription = { intervalValue: 1, intervalScale: IntervalScale.MONTH }
  const amounts = { lines: [monthly], subtotalAmount: 1000n, totalAmount: 1000n }
  const { order, options } = await createOrder(orders, { ...amounts, subscription })
  const { records } = await exportAll(orders.running, 'subscription', 1)
  const { subscriptions } = await orders.subscriptions.listSubscriptions({}, options)
  expect(subscriptions).toMatchObject([{ id: order.subscriptionId }])
  const exported = records.map(({ record }) => fromBinary(SubscriptionSchema, record))
  expect(exported.filter(({ storeId }) => storeId === order.storeId)).toEqual(subscriptions)
})
