import { type EventEnvelope, type EventHandler, onEvent, PostponeEvent } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import type { Customer } from '@storekeep/proto/customers/v1/customer'
import { CustomerCreatedSchema, CustomerUpdatedSchema } from '@storekeep/proto/customers/v1/events'
import type { AccountLookup } from '../../adapters/profiles/profile-provider.ts'
import type { AppContext } from '../../context.ts'
import { lockCustomer, updateCustomerState } from '../db/customer-repository.ts'
import {
  accountsToLookUp,
  completedWith,
  type PlatformAccount,
  type PlatformAccounts,
} from '../domain/platform-accounts.ts'
import { knownAccountsFromProto } from '../mappers.ts'
import { publishCustomerUpdated } from './publish.ts'

/**
 * Consumes the service's own events to look up the profiles of new or replaced accounts, so no caller waits for a
 * provider.
 */
export function onCustomerChanged(ctx: AppContext): EventHandler {
  return onEvent(
    [CustomerCreatedSchema, CustomerUpdatedSchema],
    (tx, event, accounts: PlatformAccounts) => applyAccounts(ctx, tx, event, accounts),
    ({ message }) => lookUpAccounts(ctx, message.customer),
  )
}

/** Looks up the accounts without a name. @throws PostponeEvent when a provider fails */
async function lookUpAccounts({ profiles }: AppContext, customer: Customer | undefined): Promise<PlatformAccounts> {
  const { steamId, minecraftUuid } = customer ? accountsToLookUp(knownAccountsFromProto(customer)) : {}
  const [steam, minecraft] = await Promise.all([
    steamId === undefined ? undefined : profiles.steam(steamId),
    minecraftUuid === undefined ? undefined : profiles.minecraftByUuid(minecraftUuid),
  ])
  return { steam: accountOf(steam), minecraft: accountOf(minecraft) }
}

/** Publishes `customer.updated`. That event carries the account names, so it triggers no further lookup. */
async function applyAccounts(
  ctx: AppContext,
  tx: Transaction,
  event: EventEnvelope,
  accounts: PlatformAccounts,
): Promise<void> {
  const { storeId, aggregateId } = event
  if (storeId === undefined || !(accounts.steam || accounts.minecraft)) return
  const row = await lockCustomer(tx, storeId, aggregateId)
  const completed = row && completedWith(row, accounts)
  if (!completed) return
  const written = await updateCustomerState(tx, row, completed, ctx.clock.now())
  await publishCustomerUpdated(tx, written, event)
}

function accountOf(result: AccountLookup | undefined): PlatformAccount | undefined {
  if (result?.outcome === 'failed') throw new PostponeEvent('profile provider failed', { cause: result.cause })
  return result?.outcome === 'found' ? result.account : undefined
}
