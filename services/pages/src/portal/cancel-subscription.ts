import { type Subscription, SubscriptionStatus } from '@storekeep/proto/orders/v1/subscription'
import { enforceLimit } from '../http/limits.ts'
import { type Handler, redirect } from '../http/route.ts'
import { pageReply } from '../views/layout.ts'
import { cancellationPage } from '../views/subscription-page.ts'
import { signedOut } from './enter-portal.ts'
import { loadSubscription, loadSubscriptionKey, subscriptionPath } from './load-subscription.ts'

/** The page of the flow `subscription_cancel`: asks for a confirmation. */
export const confirmCancellation: Handler = async (ctx, request) => {
  const loaded = await loadSubscription(ctx, request)
  if (loaded === undefined) return signedOut(request)
  const { portal, subscription } = loaded
  if (isEnding(subscription)) return redirect(subscriptionPath(request, subscription.id, 'canceled'))
  const { language } = request
  return pageReply(request, {
    title: language.texts.cancelSubscription,
    content: cancellationPage(subscription, request),
    store: portal.store,
    scripts: ['forms.js'],
  })
}

export const cancelSubscription: Handler = async (ctx, request) => {
  const loaded = await loadSubscriptionKey(ctx, request)
  if (loaded === undefined) return signedOut(request)
  const { portal, key } = loaded
  enforceLimit(ctx, 'form-token', portal.key.secret, ctx.config.limits.formTokenPerMinute)
  await ctx.subscriptions.cancelCustomerSubscription(key, portal.call)
  return redirect(subscriptionPath(request, key.subscriptionId, 'canceled'))
}

function isEnding({ status, cancelAtPeriodEnd }: Subscription): boolean {
  return cancelAtPeriodEnd || status === SubscriptionStatus.CANCELED
}
