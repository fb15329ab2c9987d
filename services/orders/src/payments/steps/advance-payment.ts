import type { AppContext } from '../../context.ts'
import { findPayment, lockPayment, updatePayment } from '../db/payment-repository.ts'
import type { Payment } from '../domain/payment.ts'
import { cancelPayment } from './cancel-payment.ts'
import { pollMs } from './delays.ts'
import { type Origin, onBehalfOfPayment } from './origin.ts'
import { settlePayment } from './settle-payment.ts'

/**
 * Does what the state of a payment requires: settles a success, or extends the session of a payment that is processing. Never
 * throws, because the state is stored: the task retries.
 * @returns the payment as it is now
 */
export async function advancePayment(ctx: AppContext, payment: Payment, origin: Origin): Promise<Payment> {
  try {
    if (payment.settlement === 'pending') await settlePayment(ctx, payment, origin)
    else if (payment.status === 'processing' && !payment.extended) await extendSession(ctx, payment, origin)
    else return payment
    return (await findPayment(ctx.database, payment)) ?? payment
  } catch (error) {
    const { storeId, id } = payment
    ctx.log.warn({ err: error, store_id: storeId, payment_id: id }, 'could not bring a payment forward, retrying later')
    return payment
  }
}

/** A session that has ended cannot be extended; if the payment succeeds after all, it is refunded. A manual payment is then canceled. */
async function extendSession(ctx: AppContext, payment: Payment, origin: Origin): Promise<void> {
  const session = await ctx.sessions.extend(payment.checkoutId, onBehalfOfPayment(origin, payment.storeId))
  if (!session && payment.provider === 'manual') return await cancelPayment(ctx, payment)
  await ctx.database.transaction(async (tx) => {
    const before = await lockPayment(tx, payment)
    if (before?.status !== 'processing') return
    const isPolled = before.provider === 'manual' || ctx.providers[before.provider].read !== undefined
    const nextAt = isPolled ? new Date(ctx.clock.now().getTime() + pollMs) : null
    await updatePayment(tx, before, { extended: true }, nextAt)
  })
}
