import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/service'
import { inTrace } from '@storekeep/common/telemetry'
import { CheckoutSessionStatus } from '@storekeep/proto/checkout/v1/checkout_session'
import type { AppContext } from '../../context.ts'
import { claimDueRefunds } from '../../refunds/db/refund-repository.ts'
import { makeRefund } from '../../refunds/steps/make-refund.ts'
import { claimDueSubscriptions } from '../../subscriptions/db/subscription-repository.ts'
import { resumeSubscription } from '../../subscriptions/steps/resume-subscription.ts'
import { claimDuePayments, oldestUnsettled } from '../db/payment-repository.ts'
import { findSettings } from '../db/settings-repository.ts'
import { isOpen, type Payment } from '../domain/payment.ts'
import { advancePayment } from '../steps/advance-payment.ts'
import { cancelPayment } from '../steps/cancel-payment.ts'
import { type Origin, onBehalfOfPayment, originOfTask } from '../steps/origin.ts'
import { reportPayment } from '../steps/report-payment.ts'
import { reencryptSettings } from './reencrypt-settings.ts'

/** Resumes payments and refunds that a killed process or an unreachable service left, and reads payments whose webhook is late. */
export function sweeps(ctx: AppContext): PeriodicTask[] {
  const { sweepMs: everyMs, log } = ctx
  return [
    createPeriodicTask({
      name: 'resume-payments',
      everyMs,
      log,
      run: (isStopping) =>
        resume(
          isStopping,
          () => claimDuePayments(ctx.database, ctx.clock.now(), batch),
          'resume payment',
          (one, origin) => resumePayment(ctx, one, origin),
        ),
    }),
    createPeriodicTask({
      name: 'resume-refunds',
      everyMs,
      log,
      run: (isStopping) =>
        resume(
          isStopping,
          () => claimDueRefunds(ctx.database, ctx.clock.now(), batch),
          'resume refund',
          (one, origin) => makeRefund(ctx, one, origin),
        ),
    }),
    createPeriodicTask({
      name: 'resume-subscriptions',
      everyMs,
      log,
      run: (isStopping) =>
        resume(
          isStopping,
          () => claimDueSubscriptions(ctx.database, ctx.clock.now(), batch),
          'resume subscription',
          (one, origin) => resumeSubscription(ctx, one, origin),
        ),
    }),
    createPeriodicTask({ name: 'measure-payments', everyMs, log, run: exportUnsettled(ctx) }),
    reencryptSettings(ctx),
  ]
}

async function resume<T>(
  isStopping: () => boolean,
  claim: () => Promise<T[]>,
  span: string,
  act: (one: T, origin: Origin) => Promise<unknown>,
): Promise<void> {
  while (!isStopping()) {
    const due = await claim()
    await Promise.all(due.map((one) => inTrace(span, (traceparent) => act(one, originOfTask(traceparent)))))
    if (due.length < batch) return
  }
}

async function resumePayment(ctx: AppContext, payment: Payment, origin: Origin): Promise<void> {
  if (payment.provider === 'manual' && payment.extended && isOpen(payment)) {
    await cancelAfterSession(ctx, payment, origin)
    return
  }
  const { read } = ctx.providers[payment.provider]
  if (!isOpen(payment) || !read || (payment.status === 'processing' && !payment.extended)) {
    await advancePayment(ctx, payment, origin)
    return
  }
  const fields = { store_id: payment.storeId, payment_id: payment.id }
  try {
    if (ctx.clock.now().getTime() - payment.createdAt.getTime() > undecidedMs) {
      await cancelPayment(ctx, payment)
      ctx.log.warn(fields, 'payment was never decided, canceled')
      return
    }
    const report = await read(payment, await findSettings(ctx.database, ctx.secrets, payment.storeId))
    if (report) await reportPayment(ctx, payment, report, origin)
  } catch (error) {
    ctx.log.warn({ err: error, ...fields }, 'could not resume a payment, retrying later')
  }
}

/** Cancels a manual payment whose session has ended. Money that arrives after all can still be marked as paid. */
async function cancelAfterSession(ctx: AppContext, payment: Payment, origin: Origin): Promise<void> {
  const { storeId, checkoutId, id } = payment
  try {
    const { status } = await ctx.sessions.get(checkoutId, onBehalfOfPayment(origin, storeId))
    if (status !== CheckoutSessionStatus.OPEN) await cancelPayment(ctx, payment)
  } catch (error) {
    ctx.log.warn({ err: error, store_id: storeId, payment_id: id }, 'could not resume a payment, retrying later')
  }
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
 * How long an undecided payment is read: more than twice as long as its session can be paid. Without an end, every payment
 * that was abandoned at an account that the store no longer uses would be read each hour forever.
 */
const undecidedMs = 30 * 24 * 3_600_000
