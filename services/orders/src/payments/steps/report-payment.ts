import type { AppContext } from '../../context.ts'
import { lockPayment, type PaymentKey, updatePayment } from '../db/payment-repository.ts'
import { applyReport, type Payment, type PaymentReport } from '../domain/payment.ts'
import { nextAction } from './delays.ts'

/**
 * Stores what a provider reports about a payment; `advance` then acts on it. Once a success is stored, the money becomes an order
 * or is refunded, even if this process is killed. Repeated and outdated reports change nothing.
 * @throws ServiceFault `not-found`, `service-unavailable` if the report cannot be stored
 */
export async function reportPayment(ctx: AppContext, key: PaymentKey, report: PaymentReport): Promise<Payment> {
  return await ctx.database.transaction(async (tx) => {
    const before = await lockPayment(tx, key)
    const now = ctx.clock.now()
    const changes = applyReport(before, report, now)
    return changes ? await updatePayment(tx, before, changes, nextAction({ ...before, ...changes }, now)) : before
  })
}
