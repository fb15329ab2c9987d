import { faultOf, operator, randomId, violationsOf } from '@storekeep/common/testing'
import { TimelineKind } from '@storekeep/proto/orders/v1/order'
import {
  PaymentProvider as Provider,
  PaymentSettlement as Settlement,
  PaymentStatus as Status,
} from '@storekeep/proto/orders/v1/payment'
import { TestPaymentAction as Action } from '@storekeep/proto/orders/v1/payments_service'
import { describe, expect, it } from 'vitest'
import {
  act,
  addresses,
  asShopper,
  attemptsOf,
  countOrders,
  createOrder,
  inStore,
  start,
  useOrders,
} from './harness.ts'

const orders = useOrders()
const { checkout } = orders
const day = 24 * 3_600_000

async function stateOf({ storeId, checkoutId, id }: { storeId: string; checkoutId: string; id: string }) {
  const { payments } = await orders.client.listPayments({ checkoutId }, inStore(storeId))
  return payments.find((payment) => payment.id === id)
}

async function takeManualAndTest(storeId: string): Promise<void> {
  const enabledProviders = { providers: [Provider.MANUAL, Provider.TEST] }
  await orders.client.updatePaymentSettings({ enabledProviders, manualInstructions: 'IBAN' }, inStore(storeId))
}

describe('a manual payment', () => {
  it('shows instructions and becomes an order when staff marks it as paid, once', async () => {
    const session = checkout.add(randomId())
    const options = inStore(session.storeId)
    await orders.client.updatePaymentSettings(
      { enabledProviders: { providers: [Provider.MANUAL] }, manualInstructions: 'IBAN …' },
      options,
    )
    const started = await orders.client.startPayment(
      { token: session.token, provider: Provider.MANUAL, ...addresses },
      asShopper(session.storeId),
    )
    expect(started).toMatchObject({ instructions: 'IBAN …', payment: { status: Status.PROCESSING } })
    orders.clock.advance(5 * day)
    const mark = () => orders.client.markPaymentPaid({ paymentId: started.payment?.id ?? '' }, options)
    const [first, second] = [await mark(), await mark()]
    expect(first.payment).toMatchObject({ settlement: Settlement.COMPLETED })
    expect(second).toEqual(first)
    const orderId = first.payment?.orderId ?? ''
    const { entries } = await orders.orders.listTimeline({ orderId }, options)
    expect(entries).toMatchObject([{ kind: TimelineKind.MARKED_PAID, actor: options.actor ?? {} }])
  })

  it('stays visible to its shopper while another method is tried, declined or left, and hides no other one', async () => {
    const session = checkout.add(randomId())
    await takeManualAndTest(session.storeId)
    const current = async () => {
      orders.clock.advance(1)
      const { storeId, token } = session
      const { payment, instructions } = await orders.client.getPaymentState({ token }, asShopper(storeId))
      return { id: payment?.id, instructions }
    }
    const startNow = async (provider: Provider) => {
      orders.clock.advance(1)
      return await start(orders, session, provider)
    }
    const test = await startNow(Provider.TEST)
    const manual = await startNow(Provider.MANUAL)
    expect(await current()).toEqual({ id: manual.id, instructions: 'IBAN' })
    expect((await startNow(Provider.TEST)).id).toBe(test.id)
    expect(await current()).toEqual({ id: test.id, instructions: undefined })
    expect((await startNow(Provider.MANUAL)).id).toBe(manual.id)
    expect(await current()).toEqual({ id: manual.id, instructions: 'IBAN' })
    await startNow(Provider.TEST)
    await act(orders, test, Action.DECLINE)
    expect(await current()).toEqual({ id: manual.id, instructions: 'IBAN' })
  })

  it('is canceled when its session is paid otherwise, and its money is refunded if it arrives after all', async () => {
    const session = checkout.add(randomId())
    await takeManualAndTest(session.storeId)
    const manual = await start(orders, session, Provider.MANUAL)
    await act(orders, await start(orders, session), Action.APPROVE)
    expect(await stateOf(manual)).toMatchObject({ status: Status.CANCELED, settlement: Settlement.NONE })
    const mark = () => orders.client.markPaymentPaid({ paymentId: manual.id }, inStore(session.storeId))
    const late = await mark()
    expect(late.payment).toMatchObject({ status: Status.SUCCEEDED, settlement: Settlement.REFUNDED })
    expect(await mark()).toEqual(late)
    expect(await countOrders(orders, session.storeId)).toBe(1)
  })

  it.each(['canceled', 'expired'])(
    'is canceled by the task when its session is %s, and its money is refunded',
    async (how) => {
      const session = checkout.add(randomId())
      await takeManualAndTest(session.storeId)
      const manual = await start(orders, session, Provider.MANUAL)
      if (how === 'canceled') checkout.cancel(session.id)
      orders.clock.advance(how === 'canceled' ? 10 * 60_000 + 1 : 14 * day)
      await expect.poll(() => stateOf(manual)).toMatchObject({ status: Status.CANCELED })
      const { payment } = await orders.client.markPaymentPaid({ paymentId: manual.id }, inStore(session.storeId))
      expect(payment).toMatchObject({ status: Status.SUCCEEDED, settlement: Settlement.REFUNDED })
      expect(await countOrders(orders, session.storeId)).toBe(0)
    },
  )

  it('is not canceled by the task while its session is open', async () => {
    const session = checkout.add(randomId())
    await takeManualAndTest(session.storeId)
    const manual = await start(orders, session, Provider.MANUAL)
    orders.clock.advance(10 * 60_000 + 1)
    await expect.poll(() => attemptsOf(orders, manual)).toBe(1)
    expect(await stateOf(manual)).toMatchObject({ status: Status.PROCESSING })
  })

  it('cannot be marked as paid in another store, nor if it is not manual', async () => {
    const session = checkout.add(randomId())
    await takeManualAndTest(session.storeId)
    const manual = await start(orders, session, Provider.MANUAL)
    const test = await start(orders, session)
    const mark = (paymentId: string, storeId: string) => orders.client.markPaymentPaid({ paymentId }, inStore(storeId))
    expect(await faultOf(mark(test.id, session.storeId))).toMatchObject({ code: 'conflict' })
    expect(await faultOf(mark(manual.id, randomId()))).toMatchObject({ code: 'not-found' })
  })
})

describe('a payment that the operator records', () => {
  const record = (checkoutId: string, storeId: string) =>
    orders.client.recordPayment({ checkoutId }, operator({ storeId }))

  it.each(['manual', 'free'])('becomes one order of the session, however often it is recorded (%s)', async (how) => {
    const session = checkout.add(randomId(), how === 'free' ? { totalAmount: 0n, affiliateDiscountAmount: 2000n } : {})
    const { payment } = await record(session.id, session.storeId)
    expect(payment).toMatchObject({ status: Status.SUCCEEDED, settlement: Settlement.COMPLETED })
    expect(await record(session.id, session.storeId)).toMatchObject({ payment: { id: payment?.id } })
    expect(await countOrders(orders, session.storeId)).toBe(1)
  })

  it('is rejected for a session that was paid or canceled, of a banned customer, or of another store', async () => {
    const { session: paid } = await createOrder(orders)
    expect(await faultOf(record(paid.id, paid.storeId))).toMatchObject({ code: 'conflict' })
    const session = checkout.add(randomId())
    expect(await faultOf(record(session.id, randomId()))).toMatchObject({ code: 'not-found' })
    checkout.banned.add(session.customerId)
    expect(await faultOf(record(session.id, session.storeId))).toMatchObject({ code: 'customer-banned' })
    checkout.cancel(session.id)
    expect(await faultOf(record(session.id, session.storeId))).toMatchObject({ code: 'conflict' })
    expect(await violationsOf(record('x', session.storeId))).toEqual(['checkout_id format'])
  })
})
