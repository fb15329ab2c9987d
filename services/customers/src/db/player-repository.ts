import { errors } from '@storekeep/common/errors'
import { isUniqueViolation, type Transaction } from '@storekeep/common/postgres'
import type { PlatformAccount } from '../domain/platform-accounts.ts'
import type { TypedPlayer } from '../domain/sign-in.ts'
import { insertCustomerIfFree, lockCustomerByUuid, updateCustomerState } from './customer-repository.ts'
import type { CustomerRow } from './schema.ts'
import { findCustomerBySignInKey } from './token-epoch-repository.ts'

/**
 * Finds or inserts the customer of a typed name without a customer so far (decision 0007).
 *
 * A player who renamed the account keeps the customer, which takes the new name. A typed name never leads to a customer
 * that the store's server created, even one with the same account: it gets a separate customer without the UUID.
 */
export async function findOrInsertPlayer(
  tx: Transaction,
  { storeId, player, account, now }: PlayerInput,
): Promise<PlayerResult> {
  const sameAccount = account && (await lockCustomerByUuid(tx, storeId, account.id))
  if (sameAccount && sameAccount.signInKey !== null) {
    const concurrent = await findCustomerBySignInKey(tx, storeId, player.signInKey)
    if (concurrent) return { row: concurrent, change: 'none' }
    const renamed = { ...sameAccount, ...minecraftAccount(player, account), signInKey: player.signInKey }
    return { row: await updateCustomerState(tx, sameAccount, renamed, now), change: 'updated' }
  }
  const customer = {
    ...emptyProfile,
    ...minecraftAccount(player, account),
    signInKey: player.signInKey,
    storeId,
    createdAt: now,
  }
  const row = await insertCustomerIfFree(tx, sameAccount ? { ...customer, minecraftUuid: null } : customer)
  if (row) return { row, change: 'created' }
  // A concurrent call inserted first; this insert waited for it.
  const existing = await findCustomerBySignInKey(tx, storeId, player.signInKey)
  if (!existing) throw errors.unavailable(new Error('the UUID of a first sign-in was taken concurrently'))
  return { row: existing, change: 'none' }
}

/** Two first sign-ins can race for the same sign-in key. The loser fails as unavailable; its retry finds the customer. */
export function unavailableOnRace(error: unknown): never {
  throw isUniqueViolation(error, 'customer_sign_in_key_unique') ? errors.unavailable(error) : error
}

export interface PlayerResult {
  row: CustomerRow
  change: 'created' | 'updated' | 'none'
}

interface PlayerInput {
  storeId: string
  player: TypedPlayer
  /** From Mojang; undefined when not looked up or unavailable. */
  account: PlatformAccount | undefined
  now: Date
}

const emptyProfile = {
  steamId: null,
  steamName: null,
  steamAvatarUrl: null,
  xboxXuid: null,
  name: null,
  metadata: {},
} as const

function minecraftAccount(player: TypedPlayer, account: PlatformAccount | undefined) {
  return {
    minecraftUuid: account?.id ?? null,
    minecraftName: account?.name ?? player.name,
    minecraftAvatarUrl: account?.avatarUrl ?? null,
    minecraftPlatform: player.edition,
  }
}
