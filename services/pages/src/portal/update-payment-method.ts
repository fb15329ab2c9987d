import { SubscriptionStatus } from '@storekeep/proto/orders/v1/subscription'
import { enforceLimit } from '../http/limits.ts'
import { type Handler, redirect } from '../http/route.ts'
import { pageReply } from '../views/layout.ts'
import { paymentMethodPage } from '../views/subscription-page.ts'
import { signedOut } from './enter-portal.ts'
import { loadSubscription, loadSubscriptionKey, subscriptionPath } from './load-subscription.ts'

/** The page of the flow `subscription_payment_method_update`. */
export const showPaymentMethod: Handler = async (ctx, request) => {
  const loaded = await loadSubscription(ctx, request)
  if (loaded === undefined) return signedOut(request)
  const { portal, subscription } = loaded
  if (subscription.status === SubscriptionStatus.CANCELED) return redirect(subscriptionPath(request, subscription.id))
  const { language } = request
  return pageReply(request, {
    title: language.texts.updateMethod,
    content: paymentMethodPage(subscription, request),
    store: portal.store,
    scripts: ['forms.js'],
    formOrigins: ctx.config.providerOrigins,
  })
}

/** Redirects to the provider's page for a new payment method. */
export const updatePaymentMethod: Handler = async (ctx, request) => {
  const loaded = await loadSubscriptionKey(ctx, request)
  if (loaded === undefined) return signedOut(request)
  const { portal, key } = loaded
  enforceLimit(ctx, 'form-token', portal.key.secret, ctx.config.limits.formTokenPerMinute)
  const updated = subscriptionPath(request, key.subscriptionId, 'method')
  const { redirectUrl } = await ctx.subscriptions.startPaymentMethodUpdate(
    {
      ...key,
      successUrl: request.site.origin + updated,
      cancelUrl: request.site.origin + subscriptionPath(request, key.subscriptionId),
    },
    portal.call,
  )
  return redirect(redirectUrl ?? updated)
}
