import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { sessionToProto } from '../mappers.ts'
import { requireSessionOfToken } from '../steps/find-session.ts'

export function getCheckoutByToken(ctx: AppContext): CheckoutHandlers['getCheckoutByToken'] {
  return async ({ token }) => {
    return { session: sessionToProto(await requireSessionOfToken(ctx, token), ctx.clock.now()) }
  }
}
