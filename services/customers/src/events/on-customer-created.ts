import { type EventHandler, onEvent } from '@storekeep/common/events'
import { CustomerCreatedSchema } from '@storekeep/proto/customers/v1/events'
import type { AppContext } from '../context.ts'
import type { LookedUpAccounts } from '../domain/looked-up-accounts.ts'
import { fillInProfile, lookUpAccounts } from '../profiles/fill-in-profile.ts'

/** Our own event: the profile of a new customer is looked up after it was answered, so that nobody waits for it. */
export function onCustomerCreated(ctx: AppContext): EventHandler {
  return onEvent(
    CustomerCreatedSchema,
    (tx, event, accounts: LookedUpAccounts) => fillInProfile(ctx, tx, event, accounts),
    ({ message }) => lookUpAccounts(ctx, message.customer),
  )
}
