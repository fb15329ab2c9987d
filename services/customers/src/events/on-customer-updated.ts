import { type EventHandler, onEvent } from '@storekeep/common/events'
import { CustomerUpdatedSchema } from '@storekeep/proto/customers/v1/events'
import type { AppContext } from '../context.ts'
import type { LookedUpAccounts } from '../domain/looked-up-accounts.ts'
import { fillInProfile, lookUpAccounts } from '../profiles/fill-in-profile.ts'

/** Our own event: a customer that got another account needs another profile. */
export function onCustomerUpdated(ctx: AppContext): EventHandler {
  return onEvent(
    CustomerUpdatedSchema,
    (tx, event, accounts: LookedUpAccounts) => fillInProfile(ctx, tx, event, accounts),
    ({ message }) => lookUpAccounts(ctx, message.customer),
  )
}
