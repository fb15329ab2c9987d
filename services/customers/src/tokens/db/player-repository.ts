import { errors } from '@storekeep/common/errors'
import type { Transaction } from '@storekeep/common/postgres'
import { insertCustomerIfFree } from '../../customers/db/customer-repository.ts'
import type { CustomerRow } from '../../customers/db/schema.ts'
import { emptyDraft, newCustomer } from '../../customers/domain/customer-draft.ts'
import type { PlatformAccount } from '../../customers/domain/platform-accounts.ts'
import type { TypedPlayer } from '../../customers/domain/sign-in.ts'
import { findCustomerBySignInKey } from './token-epoch-repository.ts'

/**
 * Finds or inserts the claimed customer of a typed name (decision 0021). Of the account that has this name at Mojang it takes
 * only what is displayed: the spelling and the avatar, never the UUID.
 */
export async function findOrInsertPlayer(
  tx: Transaction,
  { newId, storeId, player, account, now }: PlayerInput,
): Promise<PlayerResult> {
  const customer = {
    ...newCustomer(emptyDraft),
    minecraftName: account?.name ?? player.name,
    minecraftAvatarUrl: account?.avatarUrl ?? null,
    minecraftPlatform: player.edition,
    signInKey: player.signInKey,
  }
  const row = await insertCustomerIfFree(tx, { ...customer, id: newId, storeId, createdAt: now })
  if (row) return { row, isNew: true }
  // A concurrent call inserted first; this insert waited for it.
  const existing = await findCustomerBySignInKey(tx, storeId, player.signInKey)
  if (!existing) throw errors.unavailable(new Error('the customer of a typed name was verified concurrently'))
  return { row: existing, isNew: false }
}

export interface PlayerResult {
  row: CustomerRow
  isNew: boolean
}

interface PlayerInput {
  /** The id if the customer is new. */
  newId: string
  storeId: string
  player: TypedPlayer
  /** From Mojang; undefined when not looked up or unavailable. */
  account: PlatformAccount | undefined
  now: Date
}
