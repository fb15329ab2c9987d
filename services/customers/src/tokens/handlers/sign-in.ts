import { errors } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { CustomersService, SignInRequest } from '@storekeep/proto/customers/v1/customers_service'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { recordSignIn } from '../../customers/db/claimed-customer-repository.ts'
import { checkPlatform, checkPlayer, type TypedPlayer } from '../../customers/domain/sign-in.ts'
import { findCustomerBySignInKey, findEpochs } from '../db/token-epoch-repository.ts'
import { findOrCreatePlayer, lookUpAccount } from '../steps/find-or-create-player.ts'
import { findPlayerOfUuid } from '../steps/find-player-of-uuid.ts'

/** The direct flow: mints a token for a typed name, marked as claimed and valid for a day (decision 0021). */
export function signIn(ctx: AppContext): CustomersHandlers['signIn'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const platform = checkPlatform(request.platform)
    const store = await ctx.stores.get(storeId, call)
    const player =
      platform === 'minecraft_uuid'
        ? await findPlayerOfUuid(ctx, request.id, store)
        : checkPlayer(platform, request.id, store)
    const customerToken = await repeatedSignIn(ctx, storeId, player)
    return customerToken === undefined ? firstSignIn(ctx, call, request, player) : { customerToken }
  }
}

/** @returns undefined for a name without a customer */
async function repeatedSignIn(ctx: AppContext, storeId: string, player: TypedPlayer): Promise<string | undefined> {
  const customer = await findCustomerBySignInKey(ctx.database, storeId, player.signInKey)
  if (!customer) return undefined
  const { id: customerId, customerEpoch, storeEpoch, signedInAt } = customer
  const now = ctx.clock.now()
  if (now.getTime() - signedInAt.getTime() > dayMs) await recordSignIn(ctx.database, storeId, customerId, now)
  return ctx.tokens.mint({ storeId, customerId, customerEpoch, storeEpoch, claimed: true })
}

async function firstSignIn(ctx: AppContext, call: SignInCall, request: SignInRequest, player: TypedPlayer) {
  const storeId = requireStore(call)
  const account = await lookUpAccount(ctx, player)
  return write(ctx, call, request, async (tx) => {
    const row = await findOrCreatePlayer(ctx, tx, call, { player, account })
    const epochs = await findEpochs(tx, storeId, row.id)
    if (!epochs) throw errors.internal(new Error('customer not found after sign-in'))
    return { customerToken: ctx.tokens.mint({ storeId, customerId: row.id, ...epochs, claimed: true }) }
  })
}

type SignInCall = Call<typeof CustomersService.method.signIn>

const dayMs = 24 * 3_600_000
