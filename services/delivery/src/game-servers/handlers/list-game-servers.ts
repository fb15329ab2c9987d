import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, GameServersHandlers } from '../../context.ts'
import { selectGameServers } from '../db/game-server-repository.ts'
import { gameServerToProto } from '../mappers.ts'

export function listGameServers(ctx: AppContext): GameServersHandlers['listGameServers'] {
  return async (_request, call) => {
    const rows = await selectGameServers(ctx.database, requireStore(call))
    return { gameServers: rows.map(gameServerToProto) }
  }
}
