import type { AppContext } from '../../context.ts'
import { type Origin, onBehalfOfPayment } from '../../steps/origin.ts'
import { lockPayment, updatePayment } from '../db/payment-repository.ts'
import type { Payment } from '../domain/payment.ts'
import { pollMs } from './delays.ts'

/**
 * Extends the session of a payment that is processing. Ended sessions cannot be extended: a payment that ends with its session is
 * then canceled; a late success of another payment is refunded.
 * @throws ServiceFault `service-unavailable`
 */
export async function extendSession(ctx: AppContext, payment: Payment, origin: Origin): Promise<Payment> {
  const session = await ctx.sessions.extend(payment.checkoutId, onBehalfOfPayment(origin, payment.storeId))
  const { providers } = await ctx.providers.forStore(payment.storeId)
  const { endsWithSession, read } = providers[payment.provider]
  return await ctx.database.transaction(async (tx) => {
    const before = await lockPayment(tx, payment)
    if (before.status !== 'processing') return before
    if (!session && endsWithSession) return await updatePayment(tx, before, { status: 'canceled', request: null }, null)
    const nextAt = endsWithSession || read ? new Date(ctx.clock.now().getTime() + pollMs) : null
    return await updatePayment(tx, before, { extended: true }, nextAt)
  })
}
