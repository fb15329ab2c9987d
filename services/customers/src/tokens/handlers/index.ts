import type { AppContext, CustomersHandlers } from '../../context.ts'
import { getSignInKey } from './get-sign-in-key.ts'
import { mintToken } from './mint-token.ts'
import { revokeStoreTokens } from './revoke-store-tokens.ts'
import { revokeTokens } from './revoke-tokens.ts'
import { signIn } from './sign-in.ts'
import { signInWithSteam } from './sign-in-with-steam.ts'
import { startSteamSignIn } from './start-steam-sign-in.ts'
import { verifyToken } from './verify-token.ts'

export function createTokenHandlers(ctx: AppContext) {
  return {
    mintToken: mintToken(ctx),
    revokeTokens: revokeTokens(ctx),
    revokeStoreTokens: revokeStoreTokens(ctx),
    verifyToken: verifyToken(ctx),
    signIn: signIn(ctx),
    getSignInKey: getSignInKey(ctx),
    startSteamSignIn: startSteamSignIn(ctx),
    signInWithSteam: signInWithSteam(ctx),
  } satisfies Partial<CustomersHandlers>
}
