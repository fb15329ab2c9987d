import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { write } from '@storekeep/common/write'
import type { AppContext, GameServersHandlers } from '../../context.ts'
import { lockGameServer, updateGameServerState } from '../db/game-server-repository.ts'
import { applyChange, readChange } from '../domain/game-server.ts'
import { publishGameServerUpdated } from '../events/publish.ts'
import { gameServerInputFromProto, gameServerToProto } from '../mappers.ts'

export function updateGameServer(ctx: AppContext): GameServersHandlers['updateGameServer'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('game_server_id', request.gameServerId)
    const change = readChange(gameServerInputFromProto(request.gameServer), request.updateMask?.paths ?? [])
    const response = await write(ctx, call, request, async (tx) => {
      const row = await lockGameServer(tx, storeId, id)
      if (!row) throw errors.notFound('game server')
      const changed = applyChange(row, change)
      if (!changed) return { gameServer: gameServerToProto(row) }
      const by = { updatedBy: actorText(call.actor), updatedAt: ctx.clock.now() }
      const written = await updateGameServerState(tx, row, { ...changed, ...by })
      ctx.tokenEpochs.announce(tx, { storeId, gameServerId: id })
      await publishGameServerUpdated(tx, written, call)
      return { gameServer: gameServerToProto(written) }
    })
    // Also after a repeated call, because the first one may have failed after its commit.
    if (change.enabled === false) await ctx.tokenEpochs.outdate({ storeId, gameServerId: id })
    return response
  }
}
