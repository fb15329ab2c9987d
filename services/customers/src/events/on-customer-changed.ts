import { type EventEnvelope, type EventHandler, onEvent, PostponeEvent } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import type { Customer } from '@storekeep/proto/customers/v1/customer'
import { CustomerCreatedSchema, CustomerUpdatedSchema } from '@storekeep/proto/customers/v1/events'
import type { AccountAnswer } from '../adapters/profiles/profile-provider.ts'
import type { AppContext } from '../context.ts'
import { lockCustomer, updateCustomerState } from '../db/customer-repository.ts'
import {
  type LookedUpAccount,
  type LookedUpAccounts,
  missingAccounts,
  withAccounts,
} from '../domain/looked-up-accounts.ts'
import { knownAccountsFromProto } from '../mappers.ts'
import { publishCustomerUpdated } from './publish.ts'

/**
 * Our own events: the profile of a new customer, or of a customer that got another account, is looked up after the
 * caller was answered, so that nobody waits for it.
 */
export function onCustomerChanged(ctx: AppContext): EventHandler {
  return onEvent(
    [CustomerCreatedSchema, CustomerUpdatedSchema],
    (tx, event, accounts: LookedUpAccounts) => fillInProfile(ctx, tx, event, accounts),
    ({ message }) => lookUpAccounts(ctx, message.customer),
  )
}

/** Asks about the customer's accounts that we know only the ids of. @throws PostponeEvent when a provider failed */
async function lookUpAccounts({ profiles }: AppContext, customer: Customer | undefined): Promise<LookedUpAccounts> {
  const { steamId, minecraftUuid } = customer ? missingAccounts(knownAccountsFromProto(customer)) : {}
  const [steam, minecraft] = await Promise.all([
    steamId === undefined ? undefined : profiles.steam(steamId),
    minecraftUuid === undefined ? undefined : profiles.minecraftByUuid(minecraftUuid),
  ])
  return { steam: accountOf(steam), minecraft: accountOf(minecraft) }
}

/**
 * Writes what was found out into the customer. That is a change, and so tells `customer.updated`; this time with the
 * account, so that nobody looks it up again.
 */
async function fillInProfile(
  ctx: AppContext,
  tx: Transaction,
  event: EventEnvelope,
  accounts: LookedUpAccounts,
): Promise<void> {
  const { storeId, aggregateId } = event
  if (storeId === undefined || !(accounts.steam || accounts.minecraft)) return
  const row = await lockCustomer(tx, storeId, aggregateId)
  const filled = row && withAccounts(row, accounts)
  if (!filled) return
  const written = await updateCustomerState(tx, row, filled, ctx.clock.now())
  await publishCustomerUpdated(tx, written, event)
}

function accountOf(answer: AccountAnswer | undefined): LookedUpAccount | undefined {
  if (answer?.outcome === 'failed') throw new PostponeEvent('A profile provider is away.', { cause: answer.cause })
  return answer?.outcome === 'found' ? answer.account : undefined
}
