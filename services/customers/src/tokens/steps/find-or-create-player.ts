import { errors, violation } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import type { CustomerRow } from '../../customers/db/schema.ts'
import type { PlatformAccount } from '../../customers/domain/platform-accounts.ts'
import type { TypedPlayer } from '../../customers/domain/sign-in.ts'
import { publishCustomerCreated } from '../../customers/events/publish.ts'
import { findOrInsertPlayer } from '../db/player-repository.ts'

/** Looks up the account of a player's name. Only a definite `not_found` is an error; a failing provider is ignored. */
export async function lookUpAccount(ctx: AppContext, player: TypedPlayer): Promise<PlatformAccount | undefined> {
  if (!player.isVerifiedByMojang) return undefined
  const result = await ctx.profiles.minecraftByName(player.name)
  if (result.outcome !== 'not_found') return result.outcome === 'found' ? result.account : undefined
  throw errors.validationFailed([violation('id', 'reference', 'is not the name of a Minecraft account')])
}

/** Finds or creates the customer of a typed name and publishes its creation. */
export async function findOrCreatePlayer(
  ctx: AppContext,
  tx: Transaction,
  call: Call,
  { player, account }: { player: TypedPlayer; account: PlatformAccount | undefined },
): Promise<CustomerRow> {
  const input = { newId: await ctx.ids.next(), storeId: requireStore(call), player, account, now: ctx.clock.now() }
  const { row, isNew } = await findOrInsertPlayer(tx, input)
  if (isNew) await publishCustomerCreated(tx, row, call)
  return row
}
