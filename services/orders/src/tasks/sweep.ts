import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import type { Queryable } from '@storekeep/common/postgres'
import { inTrace } from '@storekeep/common/telemetry'
import { CheckoutSessionStatus } from '@storekeep/proto/checkout/v1/checkout_session'
import type { AppContext } from '../context.ts'
import { claimDuePayments, findPayment, oldestUnsettled } from '../payments/db/payment-repository.ts'
import { isOpen, type Payment, type PaymentReport } from '../payments/domain/payment.ts'
import { reportPayment } from '../payments/steps/report-payment.ts'
import { claimDueRefunds, type Refund } from '../refunds/db/refund-repository.ts'
import { advance } from '../steps/advance.ts'
import { type Origin, onBehalfOfPayment, originOfTask } from '../steps/origin.ts'
import { claimDueSubscriptions } from '../subscriptions/db/subscription-repository.ts'
import { resumeSubscription } from '../subscriptions/steps/resume-subscription.ts'

/** Resumes payments and refunds that a killed process or an unreachable service left, and reads payments whose webhook is late. */
export function sweeps(ctx: AppContext): PeriodicTask[] {
  const { sweepMs: everyMs, log } = ctx
  return [
    resume(ctx, 'payments', claimDuePayments, resumePayment),
    resume(ctx, 'refunds', claimDueRefunds, resumeRefund),
    resume(ctx, 'subscriptions', claimDueSubscriptions, resumeSubscription),
    createPeriodicTask({ name: 'measure-payments', everyMs, log, run: exportUnsettled(ctx) }),
  ]
}

function resume<T>(
  ctx: AppContext,
  resource: string,
  claim: (db: Queryable, now: Date, limit: number) => Promise<T[]>,
  act: (ctx: AppContext, one: T, origin: Origin) => Promise<void>,
): PeriodicTask {
  return createPeriodicTask({
    name: `resume-${resource}`,
    everyMs: ctx.sweepMs,
    log: ctx.log,
    run: async (isStopping) => {
      while (!isStopping()) {
        const due = await claim(ctx.database, ctx.clock.now(), batch)
        const actInTrace = (one: T) => inTrace(`resume ${resource}`, (trace) => act(ctx, one, originOfTask(trace)))
        await Promise.all(due.map(actInTrace))
        if (due.length < batch) return
      }
    },
  })
}

async function resumePayment(ctx: AppContext, due: Payment, origin: Origin): Promise<void> {
  try {
    const report = await readPayment(ctx, due, origin)
    const payment = report ? await reportPayment(ctx, due, report) : due
    await advance(ctx, { payment }, origin)
  } catch (error) {
    const fields = { store_id: due.storeId, payment_id: due.id }
    ctx.log.warn({ err: error, ...fields }, 'payment resume failed: retrying')
  }
}

/** What has become of an open payment that nothing was reported about. */
async function readPayment(ctx: AppContext, payment: Payment, origin: Origin): Promise<PaymentReport | undefined> {
  const { storeId, id, checkoutId, status, extended, createdAt } = payment
  if (!isOpen(payment) || (status === 'processing' && !extended)) return undefined
  const { providers } = await ctx.providers.forStore(storeId)
  const { endsWithSession, read } = providers[payment.provider]
  if (endsWithSession) {
    const session = await ctx.sessions.get(checkoutId, onBehalfOfPayment(origin, storeId))
    // Money that arrives after all can still be marked as paid.
    return session.status === CheckoutSessionStatus.OPEN ? undefined : { status: 'canceled' }
  }
  if (read && ctx.clock.now().getTime() - createdAt.getTime() > undecidedMs) {
    ctx.log.warn({ store_id: storeId, payment_id: id }, 'undecided payment canceled')
    return { status: 'canceled' }
  }
  return await read?.(payment)
}

async function resumeRefund(ctx: AppContext, refund: Refund, origin: Origin): Promise<void> {
  const payment = await findPayment(ctx.database, { storeId: refund.storeId, id: refund.paymentId })
  if (!payment) throw new Error('the payment of a refund was not found')
  await advance(ctx, { payment, refund }, origin)
}

/** Exports the age of the oldest payment whose money is neither an order nor refunded. */
function exportUnsettled({ metrics, database, clock }: AppContext): () => Promise<void> {
  const age = metrics.gauge(
    'orders_unsettled_payment_oldest_age_seconds',
    'Age of the oldest payment that succeeded and waits for its order (pending) or its refund (refunding). 0 if none does.',
    undefined,
    ['settlement'],
  )
  return async () => {
    for (const [settlement, oldest] of Object.entries(await oldestUnsettled(database))) {
      const ageMs = oldest === null ? 0 : Math.max(0, clock.now().getTime() - oldest.getTime())
      age.set({ settlement }, ageMs / 1000)
    }
  }
}

const batch = 20

/**
 * How long an undecided payment is read: more than twice as long as its session can be paid. Without an end, payments
 * abandoned at an account that the store no longer uses would be read each hour forever.
 */
const undecidedMs = 30 * 24 * 3_600_000
