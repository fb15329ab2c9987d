import { errors, violation } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { CustomersService, SignInRequest } from '@storekeep/proto/customers/v1/customers_service'
import type { AppContext } from '../context.ts'
import { openPlayer, retryLater } from '../db/open-player.ts'
import { findCustomerBySignInKey, findEpochs } from '../db/token-epoch-repository.ts'
import type { LookedUpAccount } from '../domain/looked-up-accounts.ts'
import { checkPlatform, checkPlayer, type TypedPlayer } from '../domain/sign-in.ts'
import { publishCustomerCreated, publishCustomerUpdated } from '../events/publish.ts'
import type { CustomersHandlers } from './index.ts'

/** The direct flow: whoever types a name gets a token for it, marked as claimed and good for a day. */
export function signIn(ctx: AppContext): CustomersHandlers['signIn'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const platform = checkPlatform(request.platform)
    const player = checkPlayer(platform, request.id, await ctx.stores.get(storeId, call))
    const customerToken = await signInAgain(ctx, storeId, player)
    return customerToken === undefined ? firstSignIn(ctx, call, request, player) : { customerToken }
  }
}

/** Undefined for a name that nobody has signed in with. */
async function signInAgain(ctx: AppContext, storeId: string, player: TypedPlayer): Promise<string | undefined> {
  const known = await findCustomerBySignInKey(ctx.database, storeId, player.signInKey)
  if (!known) return undefined
  const { id: customerId, customerEpoch, storeEpoch } = known
  return ctx.tokens.mint({ storeId, customerId, customerEpoch, storeEpoch, claimed: true })
}

async function firstSignIn(ctx: AppContext, call: SignInCall, request: SignInRequest, player: TypedPlayer) {
  const storeId = requireStore(call)
  const account = player.mojangDecides ? await findAccount(ctx, player.name) : undefined
  return write(ctx, call, request, async (tx) => {
    const { row, change } = await openPlayer(tx, { storeId, player, account, now: ctx.clock.now() })
    if (change === 'created') await publishCustomerCreated(tx, row, call)
    if (change === 'updated') await publishCustomerUpdated(tx, row, call)
    const epochs = await findEpochs(tx, storeId, row.id)
    if (!epochs) throw errors.internal(new Error('A customer vanished.'))
    return { customerToken: ctx.tokens.mint({ storeId, customerId: row.id, ...epochs, claimed: true }) }
  }).catch(retryLater)
}

/** The account of a name. Only a definite no refuses the player: a slow or failing provider stops nobody. */
async function findAccount(ctx: AppContext, name: string): Promise<LookedUpAccount | undefined> {
  const answer = await ctx.profiles.minecraftByName(name)
  if (answer.outcome !== 'absent') return answer.outcome === 'found' ? answer.account : undefined
  throw errors.validationFailed([violation('id', 'reference', 'is not the name of a Minecraft account')])
}

type SignInCall = Call<typeof CustomersService.method.signIn>
