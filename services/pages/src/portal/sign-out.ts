import { enforceLimit } from '../http/limits.ts'
import type { Handler } from '../http/route.ts'
import { pageReply } from '../views/layout.ts'
import { message } from '../views/parts.ts'
import { undefinedIfUnauthorized } from './load-portal.ts'
import { noPortalCookie, readPortalCookie } from './portal-cookie.ts'

/** Ends this session, or everywhere: every session and token of the customer. */
export const signOut: Handler = async (ctx, request) => {
  const key = readPortalCookie(request.req)
  if (key) {
    enforceLimit(ctx, 'form-token', key.secret, ctx.config.limits.formTokenPerMinute)
    const everywhere = (await request.form()).get('everywhere') === 'true'
    await ctx.customers
      .signOutOfPortal({ secret: key.secret, everywhere }, request.call(key.storeId))
      .catch(undefinedIfUnauthorized)
  }
  const { language } = request
  const { signedOutTitle: title, signedOutText: text } = language.texts
  return pageReply(request, { title, content: message({ title, text }), headers: noPortalCookie })
}
