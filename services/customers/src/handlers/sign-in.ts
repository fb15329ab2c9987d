import { errors } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { CustomersService, SignInRequest } from '@storekeep/proto/customers/v1/customers_service'
import type { AppContext, CustomersHandlers } from '../context.ts'
import { retryLater } from '../db/open-player.ts'
import { findCustomerBySignInKey, findEpochs } from '../db/token-epoch-repository.ts'
import { checkPlatform, checkPlayer, type TypedPlayer } from '../domain/sign-in.ts'
import { findAccount, openAndPublish } from './open-player.ts'

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
  const account = await findAccount(ctx, player)
  return write(ctx, call, request, async (tx) => {
    const row = await openAndPublish(ctx, tx, call, { player, account })
    const epochs = await findEpochs(tx, storeId, row.id)
    if (!epochs) throw errors.internal(new Error('A customer vanished.'))
    return { customerToken: ctx.tokens.mint({ storeId, customerId: row.id, ...epochs, claimed: true }) }
  }).catch(retryLater)
}

type SignInCall = Call<typeof CustomersService.method.signIn>
