import type { ConsumerParts } from '@storekeep/common/events'
import type { AppContext } from '../../context.ts'
import { onCustomerChanged } from './on-customer-changed.ts'
import { onBanChanged, onCheckoutSessionCreated } from './on-customer-named.ts'

/** The events that this service consumes. It looks up profiles only if a provider is configured. */
export function consumers(ctx: AppContext): ConsumerParts[] {
  const profiles: ConsumerParts = {
    name: 'customers-profiles',
    filterSubject: 'customers.customer.>',
    handlers: [onCustomerChanged(ctx)],
    deliver: 'every',
  }
  return [
    ...(ctx.profiles.looksUpSteam || ctx.profiles.looksUpMinecraft ? [profiles] : []),
    {
      name: 'customers-sessions',
      filterSubject: 'checkout.checkout_session.created',
      handlers: [onCheckoutSessionCreated()],
      deliver: 'every',
    },
    { name: 'customers-bans', filterSubject: 'bans.ban.>', handlers: [onBanChanged()], deliver: 'every' },
  ]
}
