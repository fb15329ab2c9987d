import { eventsOf, faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { CheckoutSessionStatus } from '@storekeep/proto/checkout/v1/checkout_session'
import { OrderStatus, TimelineKind } from '@storekeep/proto/orders/v1/order'
import {
  PaymentProvider as Provider,
  PaymentSettlement as Settlement,
  PaymentStatus as Status,
} from '@storekeep/proto/orders/v1/payment'
import { TestPaymentAction as Action } from '@storekeep/proto/orders/v1/payments_service'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import {
  act,
  addresses,
  asShopper,
  attemptsOf,
  countOrders,
  createOrder,
  failuresOf,
  goLive,
  inStore,
  start,
  useOrders,
} from './harness.ts'

const orders = useOrders()
const { checkout } = orders
const day = 24 * 3_600_000

const settlementOf = async ({ storeId, checkoutId }: { storeId: string; checkoutId: string }) => {
  const { payments } = await orders.client.listPayments({ checkoutId }, inStore(storeId))
  return payments.map(({ settlement }) => settlement)
}

/** The metric of the task, in seconds. */
async function unsettledAge(settlement: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${orders.running.metricsPort}/metrics`)
  const age = new RegExp(`^orders_unsettled_payment_oldest_age_seconds\\{.*settlement="${settlement}".*\\} (.+)$`, 'm')
  return Number(age.exec(await response.text())?.[1])
}

describe('a payment that is approved', () => {
  it('becomes one order with its number, timeline and event, without personal data in the event', async () => {
    const { session, payment, order, options } = await createOrder(orders, {
      customerDetails: { billingEmail: 'Robin@Example.com' },
    })
    expect(payment).toMatchObject({ status: Status.SUCCEEDED, settlement: Settlement.COMPLETED, orderId: order.id })
    expect(order).toMatchObject({
      number: 1n,
      checkoutId: session.id,
      status: OrderStatus.PAID,
      totalAmount: 2000n,
      lines: [{ name: 'VIP rank', quantity: 2 }],
      billingDetails: { billingEmail: 'Robin@Example.com' },
      payment: { id: payment.id, provider: Provider.TEST },
    })
    const { entries } = await orders.orders.listTimeline({ orderId: order.id }, options)
    expect(entries).toMatchObject([{ kind: TimelineKind.PAID, paymentId: payment.id, amount: 2000n }])
    const [event, ...others] = await eventsOf(orders, order.id)
    expect(event).toMatchObject({ type: 'order.created', message: { order: { id: order.id, billingDetails: {} } } })
    expect(others).toEqual([])
    expect(JSON.stringify(event, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toMatch(
      /robin/i,
    )
    // Repeating it changes nothing.
    expect(await act(orders, payment, Action.APPROVE)).toEqual(payment)
    const next = await createOrder(orders, { storeId: session.storeId })
    expect(next.order.number).toBe(2n)
  })

  it('is continued, not repeated, by a second start and by a double submit', async () => {
    const session = checkout.add(randomId())
    const started = await Promise.all([start(orders, session), start(orders, session), start(orders, session)])
    expect(new Set(started.map(({ id }) => id)).size).toBe(1)
  })

  it('20 concurrent approvals of two payments create one order, and the other payment is refunded', async () => {
    const session = checkout.add(randomId())
    await orders.client.updatePaymentSettings(
      { enabledProviders: { providers: [Provider.TEST, Provider.MANUAL] }, manualInstructions: 'Pay at the desk.' },
      inStore(session.storeId),
    )
    const test = await start(orders, session)
    const manual = await start(orders, session, Provider.MANUAL)
    const mark = () => orders.client.markPaymentPaid({ paymentId: manual.id }, inStore(session.storeId))
    await Promise.allSettled(Array.from({ length: 10 }, () => [act(orders, test, Action.APPROVE), mark()]).flat())
    await expect
      .poll(async () => (await settlementOf(test)).filter((one) => one !== Settlement.NONE))
      .toContain(Settlement.COMPLETED)
    const settled = await settlementOf(test)
    expect(settled.filter((one) => one === Settlement.COMPLETED)).toHaveLength(1)
    expect(await countOrders(orders, session.storeId)).toBe(1)
  })
})

describe('a payment that arrives too late', () => {
  it.each(['canceled', 'expired'])('is refunded: the session is %s', async (how) => {
    const session = checkout.add(randomId())
    const payment = await start(orders, session)
    if (how === 'canceled') checkout.cancel(session.id)
    else orders.clock.advance(day)
    const late = await act(orders, payment, Action.APPROVE)
    expect(late).toMatchObject({ status: Status.SUCCEEDED, settlement: Settlement.REFUNDED })
    expect(await countOrders(orders, session.storeId)).toBe(0)
  })

  it('is refunded when the total has changed since', async () => {
    const session = checkout.add(randomId())
    const payment = await start(orders, session)
    Object.assign(checkout.get(session.id) ?? {}, { totalAmount: 1500n, subtotalAmount: 1500n })
    const second = await start(orders, session)
    expect(second).toMatchObject({ amount: 1500n })
    expect(second.id).not.toBe(payment.id)
    expect(await faultOf(act(orders, payment, Action.APPROVE))).toMatchObject({ code: 'conflict' })
    expect(await act(orders, second, Action.APPROVE)).toMatchObject({ settlement: Settlement.COMPLETED })
  })
})

describe('a settlement that runs twice at the same time', () => {
  it.each([
    ['order', Settlement.COMPLETED],
    ['refund', Settlement.REFUNDED],
  ])('has one effect, and the second one finds it done (%s)', async (effect, settlement) => {
    const session = checkout.add(randomId())
    const payment = await start(orders, session)
    if (effect === 'refund') checkout.cancel(session.id)
    let running = 0
    checkout.beforeComplete = async () => {
      running += 1
      await expect.poll(() => running).toBe(2)
    }
    const first = act(orders, payment, Action.APPROVE)
    await expect.poll(() => running).toBe(1)
    await Promise.all([first, act(orders, payment, Action.APPROVE)])
    checkout.beforeComplete = async () => {}
    expect(await settlementOf(payment)).toEqual([settlement])
    const refunds = await orders.database.query<{ attempt: number }>(
      sql`select attempt from refund where store_id = ${payment.storeId} and payment_id = ${payment.id}`,
    )
    expect(refunds).toEqual(effect === 'refund' ? [{ attempt: 1 }] : [])
    expect(await countOrders(orders, session.storeId)).toBe(effect === 'order' ? 1 : 0)
    expect(failuresOf(orders, payment)).toEqual([])
  })

  it('cannot store a second refund', async () => {
    const session = checkout.add(randomId())
    const payment = await start(orders, session)
    checkout.cancel(session.id)
    await act(orders, payment, Action.APPROVE)
    const again = (attempt: number | null) =>
      orders.database.query(sql`
        insert into refund (store_id, payment_id, amount, lines, attempt, provider_reference, created_by, created_at)
        select store_id, payment_id, amount, lines, ${attempt}::integer,
          case when ${attempt}::integer is null then provider_reference end, created_by, created_at
        from refund where store_id = ${payment.storeId} and payment_id = ${payment.id}`)
    await expect(again(1)).rejects.toThrow('refund_attempt_unique')
    await expect(again(null)).rejects.toThrow('refund_provider_reference_unique')
  })
})

describe('without the checkout service', () => {
  it.each(['outage', 'losesResponses'] as const)(
    'a success is stored and becomes one order later (%s)',
    async (how) => {
      const session = checkout.add(randomId())
      const payment = await start(orders, session)
      checkout[how] = true
      expect(await act(orders, payment, Action.APPROVE)).toMatchObject({ settlement: Settlement.PENDING })
      expect(failuresOf(orders, payment)).toContain('payment settlement failed: retrying')
      checkout[how] = false
      orders.clock.advance(5001)
      await expect.poll(() => settlementOf(payment)).toEqual([Settlement.COMPLETED])
      expect(await countOrders(orders, session.storeId)).toBe(1)
    },
  )

  it('a success becomes an order within half a minute of the end of a long outage', async () => {
    const payment = await start(orders, checkout.add(randomId()))
    checkout.outage = true
    await act(orders, payment, Action.APPROVE)
    for (let count = 1; count <= 8; count += 1) {
      orders.clock.advance(3_600_000)
      await expect.poll(() => attemptsOf(orders, payment)).toBe(count)
    }
    await expect.poll(() => unsettledAge('pending')).toBeGreaterThan(3600)
    checkout.outage = false
    orders.clock.advance(30_001)
    await expect.poll(() => settlementOf(payment)).toEqual([Settlement.COMPLETED])
    await expect.poll(() => unsettledAge('pending')).toBe(0)
  })

  it('no payment is started', async () => {
    const session = checkout.add(randomId())
    checkout.outage = true
    const fault = await faultOf(start(orders, session))
    checkout.outage = false
    expect(fault).toMatchObject({ code: 'service-unavailable', retryAfterSeconds: expect.any(Number) })
  })
})

describe('before money moves', () => {
  it('a banned customer, an ended session and an unknown token are rejected', async () => {
    const banned = checkout.add(randomId())
    checkout.banned.add(banned.customerId)
    expect(await faultOf(start(orders, banned))).toMatchObject({ code: 'customer-banned' })
    const over = checkout.add(randomId())
    checkout.cancel(over.id)
    expect(await faultOf(start(orders, over))).toMatchObject({ code: 'conflict' })
    expect(await faultOf(start(orders, { ...over, token: 'x' }))).toMatchObject({ code: 'not-found' })
    const otherStore = { ...checkout.add(randomId()), storeId: randomId() }
    expect(await faultOf(start(orders, otherStore))).toMatchObject({ code: 'not-found' })
  })

  it('only enabled providers, web addresses and the total that the session has are accepted', async () => {
    const session = checkout.add(randomId())
    const request = { token: session.token, provider: Provider.TEST, ...addresses }
    const startWith = (fields: object) =>
      orders.client.startPayment({ ...request, ...fields }, asShopper(session.storeId))
    for (const provider of [Provider.MANUAL, Provider.STRIPE, Provider.FREE, Provider.UNSPECIFIED]) {
      expect(await violationsOf(startWith({ provider }))).toEqual(['provider enum'])
    }
    expect(await violationsOf(startWith({ successUrl: 'javascript:1' }))).toEqual(['success_url format'])
    expect(await violationsOf(startWith({ expectedAmount: 1999n }))).toEqual(['expected_amount exclusive'])
    expect((await startWith({ expectedAmount: 2000n })).payment).toMatchObject({ amount: 2000n })
  })
})

describe('a test payment of a store that has gone live since', () => {
  it('can no longer be approved, nor can an order be charged back by its shopper', async () => {
    const session = checkout.add(randomId())
    const [paid, open] = [await start(orders, session), await start(orders, checkout.add(session.storeId))]
    await act(orders, paid, Action.APPROVE)
    await goLive(orders, session.storeId)
    // The pages show a reason for this conflict only.
    const notEnabled = { code: 'conflict', violations: [{ path: 'provider' }] }
    for (const action of [Action.APPROVE, Action.DELAY]) {
      expect(await faultOf(act(orders, open, action))).toMatchObject(notEnabled)
    }
    expect(await faultOf(act(orders, paid, Action.CHARGE_BACK))).toMatchObject(notEnabled)
    expect(await countOrders(orders, session.storeId)).toBe(1)
  })
})

describe('a total of 0', () => {
  it('needs no provider and completes immediately', async () => {
    const free = { totalAmount: 0n, affiliateDiscountAmount: 2000n }
    const session = checkout.add(randomId(), free)
    const payment = await start(orders, session, Provider.UNSPECIFIED)
    expect(payment).toMatchObject({ provider: Provider.FREE, settlement: Settlement.COMPLETED, amount: 0n })
    const { order } = await orders.orders.getOrder({ orderId: payment.orderId ?? '' }, inStore(session.storeId))
    expect(order).toMatchObject({ totalAmount: 0n, status: OrderStatus.PAID })
  })
})

describe('a delayed payment', () => {
  it('extends its session and can succeed 13 days later; earlier reports that arrive late change nothing', async () => {
    const session = checkout.add(randomId())
    const payment = await start(orders, session)
    const before = checkout.extensions
    expect(await act(orders, payment, Action.DELAY)).toMatchObject({ status: Status.PROCESSING })
    expect(checkout.extensions).toBe(before + 1)
    orders.clock.advance(13 * day)
    const paid = await act(orders, payment, Action.APPROVE)
    expect(paid).toMatchObject({ settlement: Settlement.COMPLETED })
    expect(await faultOf(act(orders, payment, Action.DELAY))).toMatchObject({ code: 'conflict' })
    expect(await faultOf(act(orders, payment, Action.DECLINE))).toMatchObject({ code: 'conflict' })
  })

  it('extends its session later if the checkout service is unavailable', async () => {
    const session = checkout.add(randomId())
    const payment = await start(orders, session)
    checkout.outage = true
    await act(orders, payment, Action.DELAY)
    expect(failuresOf(orders, payment)).toEqual(['checkout session extension failed: retrying'])
    checkout.outage = false
    const before = checkout.extensions
    orders.clock.advance(5001)
    await expect.poll(() => checkout.extensions).toBe(before + 1)
  })
})

describe('a declined payment', () => {
  it('leaves the session open for another one', async () => {
    const session = checkout.add(randomId())
    const first = await act(orders, await start(orders, session), Action.DECLINE)
    expect(first).toMatchObject({ status: Status.FAILED, failureReason: expect.any(String) })
    const state = await orders.client.getPaymentState({ token: session.token }, asShopper(session.storeId))
    expect(state).toMatchObject({ sessionStatus: CheckoutSessionStatus.OPEN, payment: { id: first.id } })
    const second = await act(orders, await start(orders, session), Action.APPROVE)
    const paid = await orders.client.getPaymentState({ token: session.token }, asShopper(session.storeId))
    expect(paid).toMatchObject({
      sessionStatus: CheckoutSessionStatus.COMPLETED,
      payment: { id: second.id },
      order: { number: 1n },
    })
  })
})
