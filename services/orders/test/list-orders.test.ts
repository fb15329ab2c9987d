import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ServiceFault } from '@storekeep/common/errors'
import { faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { OrderStatus } from '@storekeep/proto/orders/v1/order'
import { PaymentStatus } from '@storekeep/proto/orders/v1/payment'
import { TestPaymentAction as Action } from '@storekeep/proto/orders/v1/payments_service'
import { expect, it } from 'vitest'
import { act, addresses, asShopper, createOrder, inStore, start, useOrders } from './harness.ts'

const orders = useOrders()

it('orders are listed by status, customer, email in any case and time, page by page, in their store only', async () => {
  const storeId = randomId()
  const customerId = randomId()
  const first = await createOrder(orders, { storeId, customerId })
  orders.clock.advance(60_000)
  const second = await createOrder(orders, { storeId, customerDetails: { billingEmail: 'Robin@Example.com' } })
  await act(orders, second.payment, Action.CHARGE_BACK)
  await createOrder(orders)
  const list = async (request: object) => {
    const { orders: found } = await orders.orders.listOrders(request, inStore(storeId))
    return found.map(({ id }) => id)
  }
  const ids = { first: first.order.id, second: second.order.id }
  expect(await list({})).toEqual([ids.second, ids.first])
  expect(await list({ status: OrderStatus.PAID })).toEqual([ids.first])
  expect(await list({ status: OrderStatus.CHARGED_BACK })).toEqual([ids.second])
  expect(await list({ customerId })).toEqual([ids.first])
  expect(await list({ checkoutId: first.session.id })).toEqual([ids.first])
  expect(await list({ billingEmail: 'robin@EXAMPLE.com' })).toEqual([ids.second])
  const { createdAt } = second.order
  expect(await list({ createdAfter: createdAt })).toEqual([ids.second])
  expect(await list({ createdBefore: createdAt })).toEqual([ids.first])
  expect(await list({ createdAfter: timestampFromDate(new Date(0)), customerId })).toEqual([ids.first])
  expect(await list({ page: { limit: 1, after: ids.second } })).toEqual([ids.first])
  const wrong = orders.orders.listOrders(
    { status: OrderStatus.UNSPECIFIED, customerId: 'x', billingEmail: 'x', checkoutId: 'x' },
    inStore(storeId),
  )
  expect(await violationsOf(wrong)).toEqual([
    'status enum',
    'customer_id format',
    'checkout_id format',
    'billing_email format',
  ])
})

it('payments are found by email in any case, session, customer and status, with and without an order', async () => {
  const storeId = randomId()
  const { payment: paid } = await createOrder(orders, { storeId })
  const session = orders.checkout.add(storeId, { customerDetails: { billingEmail: 'Robin@Example.com' } })
  const open = await start(orders, session)
  await createOrder(orders, { customerDetails: { billingEmail: 'robin@example.com' } })
  const list = async (request: object) => {
    const { payments } = await orders.client.listPayments(request, inStore(storeId))
    return payments.map(({ id }) => id)
  }
  expect(await list({})).toEqual([open.id, paid.id])
  expect(await list({ billingEmail: 'robin@EXAMPLE.com' })).toEqual([open.id])
  expect(await list({ checkoutId: paid.checkoutId })).toEqual([paid.id])
  expect(await list({ customerId: session.customerId })).toEqual([open.id])
  expect(await list({ status: PaymentStatus.SUCCEEDED })).toEqual([paid.id])
  expect(await list({ status: PaymentStatus.SUCCEEDED, billingEmail: 'robin@example.com' })).toEqual([])
  expect(await list({ page: { limit: 1, after: open.id } })).toEqual([paid.id])
  // The shopper corrects the address before paying.
  Object.assign(orders.checkout.get(session.id) ?? {}, { customerDetails: { billingEmail: 'kim@example.com' } })
  expect((await start(orders, session)).id).toBe(open.id)
  expect(await list({ billingEmail: 'robin@example.com' })).toEqual([])
  expect(await list({ billingEmail: 'kim@example.com' })).toEqual([open.id])
  const wrong = { status: PaymentStatus.UNSPECIFIED, checkoutId: 'x', customerId: 'y', billingEmail: 'z' }
  expect(await violationsOf(orders.client.listPayments(wrong, inStore(storeId)))).toEqual([
    'status enum',
    'checkout_id format',
    'customer_id format',
    'billing_email format',
  ])
})

it('a customer sees no orders of another customer', async () => {
  const { order, session } = await createOrder(orders)
  const options = asShopper(session.storeId)
  const own = orders.customers.signIn(session)
  const other = orders.customers.signIn({ ...session, customerId: randomId() })
  const list = (portalSecret: string) => orders.orders.listCustomerOrders({ portalSecret }, options)
  const get = (portalSecret: string) => orders.orders.getCustomerOrder({ orderId: order.id, portalSecret }, options)
  expect((await list(own)).orders.map(({ id }) => id)).toEqual([order.id])
  expect((await list(other)).orders).toEqual([])
  expect((await get(own)).order?.id).toBe(order.id)
  expect(await faultOf(get(other))).toMatchObject({ code: 'not-found' })
})

it('the page process reads and changes nothing of a customer without the secret of a live portal session', async () => {
  const { order, session } = await createOrder(orders)
  const options = asShopper(session.storeId)
  const own = orders.customers.signIn(session)
  const elsewhere = orders.customers.signIn({ ...session, storeId: randomId() })
  const key = (portalSecret: string) => ({ portalSecret, subscriptionId: randomId() })
  const calls: Record<string, (portalSecret: string) => Promise<unknown>> = {
    listCustomerOrders: (portalSecret) => orders.orders.listCustomerOrders({ portalSecret }, options),
    getCustomerOrder: (portalSecret) => orders.orders.getCustomerOrder({ orderId: order.id, portalSecret }, options),
    listCustomerSubscriptions: (portalSecret) =>
      orders.subscriptions.listCustomerSubscriptions({ portalSecret }, options),
    getCustomerSubscription: (secret) => orders.subscriptions.getCustomerSubscription(key(secret), options),
    cancelCustomerSubscription: (secret) => orders.subscriptions.cancelCustomerSubscription(key(secret), options),
    startPaymentMethodUpdate: (secret) =>
      orders.subscriptions.startPaymentMethodUpdate({ ...key(secret), ...addresses }, options),
    advanceTestSubscription: (secret) => orders.subscriptions.advanceTestSubscription(key(secret), options),
  }
  const codesOf = async (portalSecret: string) =>
    Promise.all(
      Object.values(calls).map((call) =>
        call(portalSecret).then(
          () => 'ok',
          (fault: ServiceFault) => fault.code,
        ),
      ),
    )
  const rejected = Object.keys(calls).map(() => 'unauthorized')
  for (const secret of ['', session.customerId, elsewhere]) expect(await codesOf(secret)).toEqual(rejected)
  // With a session, only the unknown subscription is rejected (negative control).
  expect(await codesOf(own)).toEqual(['ok', 'ok', 'ok', 'not-found', 'not-found', 'not-found', 'not-found'])

  orders.customers.outage = true
  const down = await codesOf(own)
  orders.customers.outage = false
  expect(down).toEqual(rejected.map(() => 'service-unavailable'))
  orders.customers.checks = 0
  await calls.listCustomerOrders?.(own)
  expect(orders.customers.checks).toBe(1)
  orders.customers.signOut(own)
  expect(await codesOf(own)).toEqual(rejected)
})
