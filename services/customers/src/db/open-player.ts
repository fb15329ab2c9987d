import { errors } from '@storekeep/common/errors'
import { isUniqueViolation, type Transaction } from '@storekeep/common/postgres'
import type { LookedUpAccount } from '../domain/looked-up-accounts.ts'
import type { TypedPlayer } from '../domain/sign-in.ts'
import { insertCustomerIfFree, lockCustomerByUuid, updateCustomerState } from './customer-repository.ts'
import type { CustomerRow } from './schema.ts'
import { findCustomerBySignInKey } from './token-epoch-repository.ts'

/**
 * Finds or makes the customer of a name that nobody has signed in with yet.
 *
 * A player whose account is known under an older name keeps its customer, which moves to the new name. A customer
 * that the store's server made is never opened by a typed name, even if it has the same account: the typed name gets
 * a customer of its own, without the account's uuid.
 */
export async function openPlayer(tx: Transaction, { storeId, player, account, now }: Opening): Promise<OpenedPlayer> {
  const sameAccount = account && (await lockCustomerByUuid(tx, storeId, account.id))
  if (sameAccount && sameAccount.signInKey !== null) {
    const quicker = await findCustomerBySignInKey(tx, storeId, player.signInKey)
    if (quicker) return { row: quicker, change: 'none' }
    const renamed = { ...sameAccount, ...minecraftAccount(player, account), signInKey: player.signInKey }
    return { row: await updateCustomerState(tx, sameAccount, renamed, now), change: 'updated' }
  }
  const fresh = {
    ...nobody,
    ...minecraftAccount(player, account),
    signInKey: player.signInKey,
    storeId,
    createdAt: now,
  }
  const row = await insertCustomerIfFree(tx, sameAccount ? { ...fresh, minecraftUuid: null } : fresh)
  if (row) return { row, change: 'created' }
  // A call at the same time was quicker; the insert has waited for it.
  const other = await findCustomerBySignInKey(tx, storeId, player.signInKey)
  if (!other) throw errors.unavailable(new Error('The uuid of a first sign-in was taken in the meantime.'))
  return { row: other, change: 'none' }
}

/** What two first sign-ins leave that meet in the blink between a look and a write. The next try finds a customer. */
export function retryLater(error: unknown): never {
  throw isUniqueViolation(error, 'customer_sign_in_key_unique') ? errors.unavailable(error) : error
}

export interface OpenedPlayer {
  row: CustomerRow
  change: 'created' | 'updated' | 'none'
}

interface Opening {
  storeId: string
  player: TypedPlayer
  /** As Mojang tells it; undefined when it was not asked or did not answer. */
  account: LookedUpAccount | undefined
  now: Date
}

const nobody = {
  steamId: null,
  steamName: null,
  steamAvatarUrl: null,
  xboxXuid: null,
  name: null,
  metadata: {},
} as const

function minecraftAccount(player: TypedPlayer, account: LookedUpAccount | undefined) {
  return {
    minecraftUuid: account?.id ?? null,
    minecraftName: account?.name ?? player.name,
    minecraftAvatarUrl: account?.avatarUrl ?? null,
    minecraftPlatform: player.edition,
  }
}
