import { errors, violation } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../context.ts'
import { openPlayer } from '../db/open-player.ts'
import type { CustomerRow } from '../db/schema.ts'
import type { LookedUpAccount } from '../domain/looked-up-accounts.ts'
import type { TypedPlayer } from '../domain/sign-in.ts'
import { publishCustomerCreated, publishCustomerUpdated } from '../events/publish.ts'

/** The account that Mojang knows by the name. Only a definite no refuses the player: a slow or failing provider stops nobody. */
export async function findAccount(ctx: AppContext, player: TypedPlayer): Promise<LookedUpAccount | undefined> {
  if (!player.mojangDecides) return undefined
  const answer = await ctx.profiles.minecraftByName(player.name)
  if (answer.outcome !== 'absent') return answer.outcome === 'found' ? answer.account : undefined
  throw errors.validationFailed([violation('id', 'reference', 'is not the name of a Minecraft account')])
}

/** Finds or makes the customer of a typed name, and tells of what became of it. */
export async function openAndPublish(
  ctx: AppContext,
  tx: Transaction,
  call: Call,
  { player, account }: { player: TypedPlayer; account: LookedUpAccount | undefined },
): Promise<CustomerRow> {
  const opening = { storeId: requireStore(call), player, account, now: ctx.clock.now() }
  const { row, change } = await openPlayer(tx, opening)
  if (change === 'created') await publishCustomerCreated(tx, row, call)
  if (change === 'updated') await publishCustomerUpdated(tx, row, call)
  return row
}
