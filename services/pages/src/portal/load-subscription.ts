import { errors } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import type { Subscription } from '@storekeep/proto/orders/v1/subscription'
import type { PagesContext } from '../context.ts'
import type { PageRequest } from '../http/route.ts'
import { loadPortal, type Portal } from './load-portal.ts'

/**
 * The signed-in customer, and the key of the subscription in the path for calls about it. Such a call throws ServiceFault
 * `not-found` for a subscription of another customer.
 * @returns undefined without a session
 * @throws ServiceFault `not-found` for a malformed id
 */
export async function loadSubscriptionKey(
  ctx: PagesContext,
  request: PageRequest,
): Promise<SubscriptionKey | undefined> {
  const portal = await loadPortal(ctx, request)
  if (portal === undefined) return undefined
  const { subscriptionId = '' } = request.params
  if (!isFlakeId(subscriptionId)) throw errors.notFound('subscription')
  return { portal, key: { portalSecret: portal.key.secret, subscriptionId } }
}

/** As `loadSubscriptionKey`, with the subscription. */
export async function loadSubscription(ctx: PagesContext, request: PageRequest): Promise<Loaded | undefined> {
  const loaded = await loadSubscriptionKey(ctx, request)
  if (loaded === undefined) return undefined
  const { subscription } = await ctx.subscriptions.getCustomerSubscription(loaded.key, loaded.portal.call)
  if (!subscription) throw new Error('GetCustomerSubscription returned no subscription')
  return { ...loaded, subscription }
}

interface SubscriptionKey {
  portal: Portal
  key: { portalSecret: string; subscriptionId: string }
}

interface Loaded extends SubscriptionKey {
  subscription: Subscription
}

/** A notice shown after a redirect. */
export type SubscriptionNotice = (typeof notices)[number]
const notices = ['canceled', 'method', 'test-rejected'] as const

export function subscriptionPath({ site }: Pick<PageRequest, 'site'>, id: string, notice?: SubscriptionNotice): string {
  return `${site.path}/subscriptions/${id}${notice === undefined ? '' : `?notice=${notice}`}`
}

export function subscriptionNoticeOf(query: URLSearchParams): SubscriptionNotice | undefined {
  return notices.find((one) => one === query.get('notice'))
}
