import { errors, isFault } from '@storekeep/common/errors'
import type { GameServerCaller } from '../../http/gateway-request.ts'

/**
 * Makes a call of the game server. If the service rejects the epoch of its token as outdated, checks the token again and repeats the call.
 *
 * @throws ServiceFault of the call or of the check. Only the check throws `unauthorized`, because plugins stop on it.
 */
export async function callAsServer<T>(
  gameServer: GameServerCaller,
  send: (server: { gameServerId: string; tokenEpoch: bigint }) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const { id: gameServerId, tokenEpoch } = gameServer.identity
    try {
      return await send({ gameServerId, tokenEpoch })
    } catch (error) {
      if (!isFault(error, 'unauthorized')) throw error
      gameServer.identity = await gameServer.identify(gameServer.identity)
    }
  }
  throw errors.unavailable(new Error('The token of the game server changes continually.'))
}

const maxAttempts = 3
