import { errors } from '@storekeep/common/errors'
import { isLanguageCode } from '../texts/language.ts'
import { type Handler, redirect } from './route.ts'

/** Remembers the language that the shopper chose, and loads the page again. */
export const changeLanguage: Handler = async (_ctx, request) => {
  const form = await request.form()
  const code = form.get('language') ?? ''
  if (!isLanguageCode(code)) throw errors.badRequest('The pages are not translated into this language.')
  return redirect(ownPath(form.get('back') ?? '', request.site), languageCookie(code))
}

/** Leads to pages of this site only, because an attacker may have written the field. */
function ownPath(path: string, { origin, path: base }: { origin: string; path: string }): string {
  const url = URL.parse(path, origin)
  const isOwn = url?.origin === origin && (url.pathname === base || url.pathname.startsWith(`${base}/`))
  return isOwn ? `${url.pathname}${url.search}` : `${base}/`
}

/** `__Host-`: see the cookie of the portal. It is sent to all sites on the host. */
function languageCookie(code: string): { 'set-cookie': string } {
  return { 'set-cookie': `__Host-language=${code}; Max-Age=31536000; Path=/; Secure; HttpOnly; SameSite=Lax` }
}
