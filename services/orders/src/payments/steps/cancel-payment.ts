import type { AppContext } from '../../context.ts'
import { lockPayment, updatePayment } from '../db/payment-repository.ts'
import { isOpen, type Payment } from '../domain/payment.ts'

/** Ends a payment that is no longer wanted. If its money arrives after all, it is refunded. */
export async function cancelPayment(ctx: AppContext, payment: Payment): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const before = await lockPayment(tx, payment)
    if (before && isOpen(before)) await updatePayment(tx, before, { status: 'canceled', request: null }, null)
  })
}
