import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import type { Transaction } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AppContext, GameServersHandlers } from '../../context.ts'
import { lockGameServer, updateGameServerState } from '../db/game-server-repository.ts'
import { encodeToken, hashTokenSecret, tokenSecretBytes } from '../domain/game-server-token.ts'
import { publishGameServerUpdated } from '../events/publish.ts'
import { gameServerToProto } from '../mappers.ts'

export function resetGameServerToken(ctx: AppContext): GameServersHandlers['resetGameServerToken'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('game_server_id', request.gameServerId)
    const effect = async (tx: Transaction) => {
      const row = await lockGameServer(tx, storeId, id)
      if (!row) throw errors.notFound('game server')
      const secret = ctx.randomBytes(tokenSecretBytes)
      const by = { updatedBy: actorText(call.actor), updatedAt: ctx.clock.now() }
      const written = await updateGameServerState(tx, row, { tokenHash: hashTokenSecret(secret), ...by })
      ctx.tokenEpochs.announce(tx, { storeId, gameServerId: id })
      await publishGameServerUpdated(tx, written, call)
      return { gameServer: gameServerToProto(written), token: encodeToken(id, secret) }
    }
    const response = await write(ctx, call, request, effect, { secret: true })
    // Also after a repeated call, because the first one may have failed after its commit.
    await ctx.tokenEpochs.outdate({ storeId, gameServerId: id })
    return response
  }
}
