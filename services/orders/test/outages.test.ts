import { faultOf, isPublished, randomId, useServerProxies } from '@storekeep/common/testing'
import { TestPaymentAction as Action } from '@storekeep/proto/orders/v1/payments_service'
import { describe, expect, it } from 'vitest'
import { act, createOrder, start, useOrders } from './harness.ts'

const servers = useServerProxies()
const orders = useOrders(servers.between)

describe('without Postgres', () => {
  it.each(['cut', 'stall'] as const)(
    'reads, payments and refunds fail as unavailable, then continue (%s)',
    async (how) => {
      const { order, options } = await createOrder(orders)
      const session = orders.checkout.add(randomId())
      const payment = await start(orders, session)
      const hurried = { ...options, deadlineMs: 2000 }
      servers.postgres[how]()
      const faults = await Promise.all([
        faultOf(orders.orders.getOrder({ orderId: order.id }, hurried)),
        faultOf(orders.orders.createRefund({ orderId: order.id }, hurried)),
        faultOf(orders.client.listPayments({}, hurried)),
        faultOf(start(orders, session)),
        faultOf(act(orders, payment, Action.APPROVE)),
      ])
      servers.postgres.pass()
      for (const fault of faults) {
        expect(fault).toMatchObject({ code: 'service-unavailable', retryAfterSeconds: expect.any(Number) })
      }
      const approved = () =>
        act(orders, payment, Action.APPROVE).then(
          ({ orderId }) => orderId,
          () => undefined,
        )
      await expect.poll(approved).toEqual(expect.any(String))
      const { order: after } = await orders.orders.getOrder({ orderId: order.id }, options)
      expect(after).toEqual(order)
    },
  )
})

describe('without NATS', () => {
  it('payments become orders, whose events are published once it is back', async () => {
    servers.nats.cut()
    const { order } = await createOrder(orders)
    expect(await isPublished(orders, order.id)).toBe(false)
    servers.nats.pass()
    await expect.poll(() => isPublished(orders, order.id)).toBe(true)
  })
})
