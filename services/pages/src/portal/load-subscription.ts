import { errors } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import type { Subscription } from '@storekeep/proto/orders/v1/subscription'
import type { PagesContext } from '../context.ts'
import type { PageRequest } from '../http/route.ts'
import { loadPortal, type Portal } from './load-portal.ts'

/**
 * The signed-in customer and their subscription in the path.
 * @returns undefined without a session
 * @throws ServiceFault `not-found` for a subscription of another customer
 */
export async function loadSubscription(ctx: PagesContext, request: PageRequest): Promise<Loaded | undefined> {
  const portal = await loadPortal(ctx, request)
  if (portal === undefined) return undefined
  const { subscriptionId = '' } = request.params
  if (!isFlakeId(subscriptionId)) throw errors.notFound('subscription')
  const key = { customerId: portal.customer.id, subscriptionId }
  const { subscription } = await ctx.subscriptions.getCustomerSubscription(key, portal.call)
  if (!subscription) throw new Error('GetCustomerSubscription returned no subscription')
  return { portal, subscription, key }
}

interface Loaded {
  portal: Portal
  subscription: Subscription
  /** For calls about the subscription. */
  key: { customerId: string; subscriptionId: string }
}

/** What a redirect tells the page of a subscription. */
export type SubscriptionNotice = (typeof notices)[number]
const notices = ['canceled', 'method', 'test-refused'] as const

export function subscriptionPath(
  { site }: Pick<PageRequest, 'site'>,
  { id }: Pick<Subscription, 'id'>,
  notice?: SubscriptionNotice,
): string {
  return `${site.path}/subscriptions/${id}${notice === undefined ? '' : `?notice=${notice}`}`
}

export function subscriptionNoticeOf(query: URLSearchParams): SubscriptionNotice | undefined {
  return notices.find((one) => one === query.get('notice'))
}
