import type { PageRequest } from '../http/route.ts'
import type { Checkout } from './load-checkout.ts'

/**
 * The path of a checkout page. Contains the token.
 * @param position the line that the notice is about, starting at 1
 */
export function checkoutPath(
  { site }: Pick<PageRequest, 'site'>,
  { token }: Pick<Checkout, 'token'>,
  path: '/' | '/pay' | '/coupon' | '/tax' | '/lines' | '/receipt' | '/test-payment' = '/',
  notice?: Notice,
  position?: number,
): string {
  const about = position === undefined ? '' : `&line=${position}`
  return `${site.path}${path}?t=${token}${notice === undefined ? '' : `&notice=${notice}`}${about}`
}

/** Notices shown after a redirect. */
export const notices = [
  'email',
  'method',
  'total',
  'banned',
  'paid',
  'canceled',
  'test-rejected',
  'product-required',
  'product-owned',
  'server-unavailable',
  'quantity-unavailable',
  'lines-changed',
  'lines-busy',
  'coupon-dropped',
  'coupon-applied',
  'coupon-removed',
  'coupon-unknown',
  'coupon-expired',
  'coupon-used-up',
  'coupon-out-of-scope',
  'coupon-minimum',
  'coupon-busy',
  'country',
  'tax-id',
  'tax-busy',
] as const
export type Notice = (typeof notices)[number]

export function noticeOf(query: URLSearchParams): Notice | undefined {
  return notices.find((one) => one === query.get('notice'))
}

/** The line that the notice is about: its position in the session, starting at 1. */
export function noticeLineOf(query: URLSearchParams): number | undefined {
  const position = query.get('line') ?? ''
  return /^[1-9]\d{0,2}$/.test(position) ? Number(position) : undefined
}
