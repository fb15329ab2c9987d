import type { ConsumerParts } from '@storekeep/common/service'
import type { AppContext } from '../context.ts'
import { onCustomerChanged } from './on-customer-changed.ts'

/** What this service listens to. Nothing at all while no provider is configured that could be asked. */
export function consumers(ctx: AppContext): ConsumerParts[] {
  if (!ctx.profiles.knowsSteam && !ctx.profiles.knowsMinecraft) return []
  return [
    {
      name: 'customers-profiles',
      filterSubject: 'customers.customer.>',
      handlers: [onCustomerChanged(ctx)],
      deliver: 'every',
    },
  ]
}
