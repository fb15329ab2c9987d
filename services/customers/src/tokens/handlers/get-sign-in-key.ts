import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { signInKeyOf } from '../../customers/domain/sign-in.ts'

export function getSignInKey(ctx: AppContext): CustomersHandlers['getSignInKey'] {
  return async ({ platform, id }, call) => {
    const store = await ctx.stores.get(requireStore(call), call)
    return { signInKey: signInKeyOf(platform, id, store) }
  }
}
