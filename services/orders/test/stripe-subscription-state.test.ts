import { PaymentSettlement as Settlement } from '@storekeep/proto/orders/v1/payment'
import { CancellationReason as Reason, SubscriptionStatus as Status } from '@storekeep/proto/orders/v1/subscription'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SignedWebhook } from './fake-stripe.ts'
import { useStripeSubscriptions } from './stripe-harness.ts'

const { orders, stripe, subscribe } = useStripeSubscriptions()
const minute = 60_000
const ms = (time: { seconds: bigint } | undefined) => Number(time?.seconds ?? 0) * 1000

describe('a subscription at Stripe', () => {
  it('is past due while its renewal fails, and ends when Stripe gives up', async () => {
    const given = await subscribe()
    await given.deliver(...stripe.failRenewal(given.reference))
    expect(await given.read()).toMatchObject({ status: Status.PAST_DUE, paidPeriods: 1 })
    await given.deliver(...stripe.renew(given.reference).webhooks)
    expect(await given.read()).toMatchObject({ status: Status.ACTIVE, paidPeriods: 2 })
    await given.deliver(stripe.endSubscription(given.reference, 'payment_failed'))
    expect(await given.read()).toMatchObject({ status: Status.CANCELED, cancellationReason: Reason.PAYMENT_FAILED })
    // Stripe reports a payment that was on its way.
    await given.deliver(...stripe.renew(given.reference).webhooks)
    expect(await given.read()).toMatchObject({ status: Status.CANCELED })
    expect(await given.orders()).toHaveLength(3)
  })

  it('keeps a newer state if an older one, read before, arrives later', async () => {
    const given = await subscribe()
    await expect.poll(async () => ms((await given.read())?.updatedAt)).toBeGreaterThan(0)
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    stripe.hold = async (path, when) => {
      if (when !== 'after' || path !== `/v1/subscriptions/${given.reference}`) return
      stripe.hold = undefined
      reached.resolve()
      await released.promise
    }
    const older = given.deliver(stripe.changed(given.reference))
    await reached.promise
    await given.deliver(...stripe.failRenewal(given.reference))
    released.resolve()
    // Rejected if it has waited too long.
    await older.catch(() => undefined)
    expect(await given.read()).toMatchObject({ status: Status.PAST_DUE })
  })

  it('a subscription whose webhooks are all lost is read by the task', async () => {
    const given = await subscribe()
    await expect.poll(async () => ms((await given.read())?.updatedAt)).toBeGreaterThan(0)
    const end = ms((await given.read())?.currentPeriodEnd)
    orders.clock.advance(end - orders.clock.now().getTime() + 11 * minute)
    stripe.renew(given.reference)
    await expect.poll(async () => (await given.orders()).length).toBe(2)
  })
})

describe('a subscription that has ended', () => {
  it('is read an hour later, in case its last invoice is paid late, even if it was read in between', async () => {
    const given = await subscribe()
    await given.cancel(true)
    orders.clock.advance(2 * minute)
    await given.deliver(stripe.changed(given.reference))
    stripe.renew(given.reference)
    orders.clock.advance(59 * minute)
    await expect.poll(async () => (await given.orders()).length).toBe(2)
    expect(await given.read()).toMatchObject({ status: Status.CANCELED })
  })
})

it('webhooks that are lost, repeated, reordered and concurrent leave one order per paid period and the state of Stripe', async () => {
  const statuses: Record<string, Status> = {
    active: Status.ACTIVE,
    past_due: Status.PAST_DUE,
    canceled: Status.CANCELED,
  }
  let misled = 0
  const steps = fc.array(fc.constantFrom<Step>('renew', 'renew', 'fail', 'cancel', 'end'), {
    minLength: 2,
    maxLength: 7,
  })
  await fc.assert(
    fc.asyncProperty(steps, fc.infiniteStream(fc.nat()), async (history, random) => {
      const next = (below: number) => (random.next().value as number) % below
      const given = await subscribe()
      const sent: SignedWebhook[] = []
      for (const step of history) {
        if (stripe.subscription(given.reference).status === 'canceled') break
        if (step === 'renew') sent.push(...stripe.renew(given.reference).webhooks)
        if (step === 'fail') sent.push(...stripe.failRenewal(given.reference))
        if (step === 'end') sent.push(stripe.endSubscription(given.reference, 'cancellation_requested'))
        if (step === 'cancel') {
          stripe.subscription(given.reference).cancel_at_period_end = true
          sent.push(stripe.changed(given.reference))
        }
        // Some arrive while the history continues.
        if (next(3) === 0) await given.deliver(...sent)
      }
      const repeated = sent.flatMap((one) => (next(2) === 0 ? [one, one] : [one]))
      const shuffled = repeated.map((one) => ({ one, order: next(1000) })).sort((a, b) => a.order - b.order)
      // The first webhook is lost, unless it is the only one.
      const arriving = shuffled.map(({ one }) => one).slice(shuffled.length > 1 ? 1 : 0)
      while (arriving.length > 0) await given.deliver(...arriving.splice(0, 1 + next(4)))
      const expected = stripe.subscription(given.reference)
      const found = await given.orders()
      const paid =
        1 +
        new Set(sent.filter(({ body }) => String(body).includes('"invoice.paid"')).map(({ body }) => String(body))).size
      expect(found).toHaveLength(paid)
      expect(new Set(found.map(({ subscriptionPeriod }) => ms(subscriptionPeriod?.start))).size).toBe(paid)
      expect(await given.read()).toMatchObject({
        status: statuses[expected.status],
        cancelAtPeriodEnd: expected.cancel_at_period_end,
        paidPeriods: paid,
      })
      const page = { limit: 100 }
      const { checkoutId } = given.payment
      const { payments } = await orders.client.listPayments({ checkoutId, page }, given.options)
      // Another payment of a period would be refunded.
      expect(payments.map(({ settlement }) => settlement)).toEqual(found.map(() => Settlement.COMPLETED))
      const believed = believe(shuffled.map(({ one }) => one))
      if (believed.orders !== paid || believed.status !== expected.status) misled += 1
    }),
    { numRuns: 12 },
  )
  // The negative control: believing the same webhooks gives wrong orders or states.
  expect(misled).toBeGreaterThan(0)
})

type Step = 'renew' | 'fail' | 'cancel' | 'end'

/** What a consumer that believes each webhook would record: an order per paid invoice, and the latest status that it has heard. */
function believe(webhooks: readonly SignedWebhook[]) {
  const believed = { orders: 1, status: 'active' }
  for (const { body } of webhooks) {
    const event = JSON.parse(String(body)) as { type: string; data: { object: { status?: string } } }
    if (event.type === 'invoice.paid') believed.orders += 1
    if (event.type.startsWith('customer.subscription')) believed.status = event.data.object.status ?? ''
  }
  return believed
}
