import { errors } from '@storekeep/common/errors'
import { present } from '@storekeep/common/message'
import type { AppContext, SubscriptionHandlers } from '../../context.ts'
import { findSettings } from '../../db/settings-repository.ts'
import { checkAddresses } from '../../steps/check-addresses.ts'
import { findOfCustomer } from '../steps/find-of-customer.ts'

export function startPaymentMethodUpdate(ctx: AppContext): SubscriptionHandlers['startPaymentMethodUpdate'] {
  return async (request, call) => {
    checkAddresses(request)
    const { storeId, status, provider, providerReference } = await findOfCustomer(ctx, call, request)
    if (status === 'canceled') throw errors.conflict('The subscription has ended.')
    const start = ctx.providers[provider].subscriptions?.startMethodUpdate
    if (!start || providerReference === null) return {}
    const settings = await findSettings(ctx.database, ctx.secrets, storeId)
    return present({ redirectUrl: await start(providerReference, request, settings) })
  }
}
