import { errors } from '@storekeep/common/errors'
import type { AppContext } from '../../context.ts'
import { lockPayment, type PaymentKey, updatePayment } from '../db/payment-repository.ts'
import { applyReport, type Payment, type PaymentReport } from '../domain/payment.ts'
import { advancePayment } from './advance-payment.ts'
import { pollMs, takeoverMs } from './delays.ts'
import type { Origin } from './origin.ts'

/**
 * Stores what a provider reports about a payment, then acts on it. Once a success is stored, the money becomes an order or is
 * refunded, however often this process is killed. Repeated and outdated reports change nothing.
 * @throws ServiceFault `not-found`, `service-unavailable` if the report cannot be stored
 */
export async function reportPayment(
  ctx: AppContext,
  key: PaymentKey,
  report: PaymentReport,
  origin: Origin,
): Promise<Payment> {
  const payment = await ctx.database.transaction(async (tx) => {
    const before = await lockPayment(tx, key)
    if (!before) throw errors.notFound('payment')
    const now = ctx.clock.now()
    const changes = applyReport(before, report, now)
    if (!changes) return before
    const after = { ...before, ...changes }
    return await updatePayment(tx, before, changes, nextAction(after, now))
  })
  return await advancePayment(ctx, payment, origin)
}

/** When the task acts on a payment whose state has changed, in case this process is killed before it does. */
function nextAction({ status, provider }: Payment, now: Date): Date | null {
  if (status === 'succeeded' || status === 'processing') return new Date(now.getTime() + takeoverMs)
  return provider === 'stripe' && status === 'pending' ? new Date(now.getTime() + pollMs) : null
}
