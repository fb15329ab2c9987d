import { requireFlakeId } from '@storekeep/common/flake'
import type { AppContext, CheckoutHandlers } from '../../context.ts'

export function checkBuyer(ctx: AppContext): CheckoutHandlers['checkBuyer'] {
  return async (request, call) => {
    const buyer = await ctx.customers.find(requireFlakeId('customer_id', request.customerId), call)
    if (!buyer) return { isBanned: false }
    return { isBanned: await ctx.bans.isBanned({ ...buyer, billingEmail: request.billingEmail, ip: undefined }, call) }
  }
}
