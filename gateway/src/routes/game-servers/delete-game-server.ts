import { endpoint } from '../../http/endpoint.ts'
import { gameServerPath } from './game-server-path.ts'
import { revokingCall } from './revoking-call.ts'

export const deleteGameServer = endpoint({
  operationId: 'deleteGameServer',
  tag: 'Game servers',
  summary: 'Delete a game server',
  description: 'Deletes the game server and its token, and removes its pending commands from the queue.',
  method: 'delete',
  path: '/v1/stores/{storeId}/gameservers/{gameServerId}',
  auth: 'api-key',
  scope: 'gameservers:write',
  params: gameServerPath,
  success: { status: 204, description: 'The game server was deleted.' },
  async handle(ctx, { params, call }) {
    await ctx.gameServers.deleteGameServer(params, revokingCall(ctx, call))
    return {}
  },
})
