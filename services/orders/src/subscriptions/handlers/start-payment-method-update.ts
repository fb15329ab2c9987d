import { errors } from '@storekeep/common/errors'
import { present } from '@storekeep/common/message'
import type { AppContext, SubscriptionHandlers } from '../../context.ts'
import { checkAddresses } from '../../steps/check-addresses.ts'
import { findPortalSubscription } from '../steps/find-own-subscription.ts'

export function startPaymentMethodUpdate(ctx: AppContext): SubscriptionHandlers['startPaymentMethodUpdate'] {
  return async (request, call) => {
    checkAddresses(request)
    const { subscription } = await findPortalSubscription(ctx, call, request)
    const { storeId, status, provider, providerReference } = subscription
    if (status === 'canceled') throw errors.conflict('The subscription has ended.')
    const { providers } = await ctx.providers.forStore(storeId)
    const start = providers[provider].subscriptions?.startMethodUpdate
    if (!start || providerReference === null) return {}
    return present({ redirectUrl: await start(providerReference, request) })
  }
}
