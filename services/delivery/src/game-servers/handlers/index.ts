import type { AppContext, GameServersHandlers } from '../../context.ts'
import { createGameServer } from './create-game-server.ts'
import { deleteGameServer } from './delete-game-server.ts'
import { getGameServer } from './get-game-server.ts'
import { linkGameServer } from './link-game-server.ts'
import { listGameServers } from './list-game-servers.ts'
import { resetGameServerToken } from './reset-game-server-token.ts'
import { updateGameServer } from './update-game-server.ts'
import { verifyGameServerToken } from './verify-game-server-token.ts'

export function createGameServerHandlers(ctx: AppContext): GameServersHandlers {
  return {
    createGameServer: createGameServer(ctx),
    getGameServer: getGameServer(ctx),
    listGameServers: listGameServers(ctx),
    updateGameServer: updateGameServer(ctx),
    deleteGameServer: deleteGameServer(ctx),
    resetGameServerToken: resetGameServerToken(ctx),
    verifyGameServerToken: verifyGameServerToken(ctx),
    linkGameServer: linkGameServer(ctx),
  }
}
