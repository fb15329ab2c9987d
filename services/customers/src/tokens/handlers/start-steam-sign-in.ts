import type { AppContext, CustomersHandlers } from '../../context.ts'
import { checkSteamSignIn } from '../steps/check-steam-sign-in.ts'

export function startSteamSignIn(ctx: AppContext): CustomersHandlers['startSteamSignIn'] {
  return async ({ returnTo }, call) => {
    await checkSteamSignIn(ctx, call, returnTo)
    return { redirectUrl: ctx.steamOpenId.redirectUrl(returnTo) }
  }
}
