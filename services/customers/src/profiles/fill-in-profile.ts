import type { EventEnvelope } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import type { Customer } from '@storekeep/proto/customers/v1/customer'
import type { AppContext } from '../context.ts'
import { lockCustomer, updateCustomerState } from '../db/customer-repository.ts'
import { type LookedUpAccount, type LookedUpAccounts, withAccounts } from '../domain/looked-up-accounts.ts'
import { publishCustomerUpdated } from '../events/publish.ts'
import { missingAccounts } from '../mappers.ts'
import type { AccountAnswer } from './profile-provider.ts'

/** Asks about the customer's accounts that we know only the ids of. @throws Error when a provider failed: try later */
export async function lookUpAccounts(ctx: AppContext, customer: Customer | undefined): Promise<LookedUpAccounts> {
  const { steamId, minecraftUuid } = missingAccounts(customer)
  const [steam, minecraft] = await Promise.all([
    steamId === undefined ? undefined : ctx.profiles.steam(steamId),
    minecraftUuid === undefined ? undefined : ctx.profiles.minecraftByUuid(minecraftUuid),
  ])
  return { steam: accountOf(steam), minecraft: accountOf(minecraft) }
}

/**
 * Writes what was found out into the customer. That is a change, and so tells `customer.updated`; this time with the
 * account, so that nobody looks it up again.
 */
export async function fillInProfile(
  ctx: AppContext,
  tx: Transaction,
  event: EventEnvelope,
  accounts: LookedUpAccounts,
): Promise<void> {
  const { storeId, aggregateId, traceparent } = event
  if (storeId === undefined || !(accounts.steam || accounts.minecraft)) return
  const row = await lockCustomer(tx, storeId, aggregateId)
  const filled = row && withAccounts(row, accounts)
  if (!filled) return
  const written = await updateCustomerState(tx, row, filled, ctx.clock.now())
  await publishCustomerUpdated(tx, written, { traceparent })
  tx.afterCommit(ctx.relay.wake)
}

function accountOf(answer: AccountAnswer | undefined): LookedUpAccount | undefined {
  if (answer?.outcome === 'failed') throw new Error('The look-up of a profile failed.', { cause: answer.cause })
  return answer?.outcome === 'found' ? answer.account : undefined
}
