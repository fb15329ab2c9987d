import type { ConsumerParts } from '@storekeep/common/events'
import type { AppContext } from '../context.ts'
import { onCustomerChanged } from './on-customer-changed.ts'

/** Consumes events only if a profile provider is configured. */
export function consumers(ctx: AppContext): ConsumerParts[] {
  if (!ctx.profiles.looksUpSteam && !ctx.profiles.looksUpMinecraft) return []
  return [
    {
      name: 'customers-profiles',
      filterSubject: 'customers.customer.>',
      handlers: [onCustomerChanged(ctx)],
      deliver: 'every',
    },
  ]
}
