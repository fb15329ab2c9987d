import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { write } from '@storekeep/common/write'
import { gameServerLimits } from '@storekeep/proto/conventions/limits'
import type { AppContext, GameServersHandlers } from '../../context.ts'
import { hasGameServers, insertGameServer, lockGameServersOf } from '../db/game-server-repository.ts'
import { checkGameServer } from '../domain/game-server.ts'
import { encodeToken, hashTokenSecret, tokenSecretBytes } from '../domain/game-server-token.ts'
import { publishGameServerCreated } from '../events/publish.ts'
import { gameServerInputFromProto, gameServerToProto } from '../mappers.ts'

export function createGameServer(ctx: AppContext): GameServersHandlers['createGameServer'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const state = checkGameServer(gameServerInputFromProto(request.gameServer))
    return write(
      ctx,
      call,
      request,
      async (tx) => {
        await lockGameServersOf(tx, storeId)
        if (await hasGameServers(tx, storeId, gameServerLimits.perStore)) throw errors.conflict(tooMany)
        const [id, secret] = [await ctx.ids.next(), ctx.randomBytes(tokenSecretBytes)]
        const created = { createdBy: actorText(call.actor), createdAt: ctx.clock.now() }
        const row = await insertGameServer(tx, {
          ...state,
          id,
          storeId,
          tokenHash: hashTokenSecret(secret),
          ...created,
        })
        await publishGameServerCreated(tx, row, call)
        return { gameServer: gameServerToProto(row), token: encodeToken(id, secret) }
      },
      { secret: true },
    )
  }
}

const tooMany = `The store has reached the limit of ${gameServerLimits.perStore} game servers.`
