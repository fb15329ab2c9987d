import { errors, violation } from '@storekeep/common/errors'
import { parseUuid } from '@storekeep/proto/conventions/account-ids'
import type { AppContext } from '../../context.ts'
import { checkPlayer, type SignInStore, type TypedPlayer } from '../../customers/domain/sign-in.ts'

/**
 * Resolves a UUID that a game server's plugin sent to the player with the name of that account. The UUID proves as little as a typed name,
 * so it signs in the name of the account, and never finds the customer whose UUID the store has verified (decision 0021).
 *
 * @throws ServiceFault `platform-not-allowed` when no Mojang account belongs to UUIDs of the game, or Mojang is not configured;
 * `validation-failed` for no UUID of an account; `service-unavailable` when Mojang does not respond
 */
export async function findPlayerOfUuid(
  { profiles }: Pick<AppContext, 'profiles'>,
  id: string,
  store: SignInStore,
): Promise<TypedPlayer> {
  if (store.game !== 'minecraft' && store.game !== 'minecraft_geyser') {
    throw errors.platformNotAllowed('The game of this store does not support signing in by UUID.')
  }
  if (!profiles.looksUpMinecraft) {
    throw errors.platformNotAllowed('This platform must use the server-side sign-in flow.')
  }
  const uuid = parseUuid(id)
  if (uuid === undefined) throw errors.validationFailed([violation('id', 'format', 'must be a UUID')])
  const result = await profiles.minecraftByUuid(uuid)
  switch (result.outcome) {
    case 'found':
      return checkPlayer('minecraft_java_name', result.account.name, store)
    case 'not_found':
      throw errors.validationFailed([violation('id', 'reference', 'is not the UUID of a Minecraft account')])
    case 'failed':
      throw errors.unavailable(result.cause)
    case 'skipped':
      throw errors.internal(new Error('a configured lookup was skipped'))
  }
}
