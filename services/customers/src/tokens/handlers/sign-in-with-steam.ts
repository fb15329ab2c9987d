import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import { type Assertion, assertionLifetimeMs } from '../../adapters/steam-openid.ts'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { findOrInsertCustomer } from '../../customers/steps/find-or-insert-customer.ts'
import { useAssertion } from '../db/steam-assertion-repository.ts'
import { findEpochs } from '../db/token-epoch-repository.ts'
import { checkSteamSignIn } from '../steps/check-steam-sign-in.ts'

/** Steam has verified the account, so the token is not marked as claimed. */
export function signInWithSteam(ctx: AppContext): CustomersHandlers['signInWithSteam'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    await checkSteamSignIn(ctx, call, request.returnTo)
    const assertion = await verify(ctx, request)
    if (!assertion) throw errors.unauthorized()
    const { nonce, steamId } = assertion
    return write(
      ctx,
      call,
      request,
      async (tx) => {
        const now = ctx.clock.now()
        // Twice the lifetime, because the clock of Steam may be ahead.
        const expiresAt = new Date(now.getTime() + 2 * assertionLifetimeMs)
        if (!(await useAssertion(tx, { storeId, nonce, expiresAt, now }))) throw errors.unauthorized()
        const row = await findOrInsertCustomer(ctx, tx, call, { steamId })
        const epochs = await findEpochs(tx, storeId, row.id)
        if (!epochs) throw errors.internal(new Error('customer not found after sign-in'))
        return { customerToken: ctx.tokens.mint({ storeId, customerId: row.id, ...epochs, claimed: false }) }
      },
      { secret: true },
    )
  }
}

async function verify(
  { steamOpenId, log }: Pick<AppContext, 'steamOpenId' | 'log'>,
  { parameters, returnTo }: { parameters: Readonly<Record<string, string>>; returnTo: string },
): Promise<Assertion | undefined> {
  try {
    return await steamOpenId.verify(parameters, returnTo)
  } catch (cause) {
    log.warn({ err: cause }, 'steam sign-in could not be verified')
    throw errors.unavailable(cause)
  }
}
