import type { AppContext } from '../../context.ts'
import { findOrderOfCheckout } from '../../orders/db/order-repository.ts'
import { type Origin, onBehalfOfPayment } from '../../steps/origin.ts'
import type { Subscription } from '../domain/subscription.ts'
import { emailOf } from '../mappers.ts'

/**
 * Whether the customer is banned, by an account or by the email address of the first order.
 * @throws ServiceFault `service-unavailable` if that cannot be checked
 */
export async function isBanned(
  ctx: AppContext,
  { storeId, checkoutId, customerId }: Subscription,
  origin: Origin,
): Promise<boolean> {
  const order = await findOrderOfCheckout(ctx.database, storeId, checkoutId)
  const buyer = { customerId, billingEmail: order && emailOf(order) }
  return await ctx.sessions.isBanned(buyer, onBehalfOfPayment(origin, storeId))
}
