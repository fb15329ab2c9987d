import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, GameServersHandlers } from '../../context.ts'
import { findGameServer } from '../db/game-server-repository.ts'
import { gameServerToProto } from '../mappers.ts'

export function getGameServer(ctx: AppContext): GameServersHandlers['getGameServer'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('game_server_id', request.gameServerId)
    const row = await findGameServer(ctx.database, storeId, id)
    if (!row) throw errors.notFound('game server')
    return { gameServer: gameServerToProto(row) }
  }
}
