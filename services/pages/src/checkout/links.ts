import type { PageRequest } from '../http/route.ts'
import type { Checkout } from './load-checkout.ts'

/** The path of a checkout page. Contains the token. */
export function checkoutPath(
  { site }: Pick<PageRequest, 'site'>,
  { token }: Pick<Checkout, 'token'>,
  path: '/' | '/pay' | '/coupon' | '/test-payment' = '/',
  notice?: Notice,
): string {
  return `${site.path}${path}?t=${token}${notice === undefined ? '' : `&notice=${notice}`}`
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
  'coupon-applied',
  'coupon-removed',
  'coupon-unknown',
  'coupon-expired',
  'coupon-used-up',
  'coupon-out-of-scope',
  'coupon-minimum',
  'coupon-busy',
] as const
export type Notice = (typeof notices)[number]

export function noticeOf(query: URLSearchParams): Notice | undefined {
  return notices.find((one) => one === query.get('notice'))
}
