import { gameServerDto, gameServerDtoSchema } from '@storekeep/records/delivery/game-server-dto'
import { updateExample } from '@storekeep/records/schemas/record'
import { endpoint } from '../../http/endpoint.ts'
import { gameServerPath } from './game-server-path.ts'
import { newServerExample } from './new-server-example.ts'
import { revokingCall } from './revoking-call.ts'

export const resetGameServerToken = endpoint({
  operationId: 'resetGameServerToken',
  tag: 'Game servers',
  summary: 'Reset the token of a game server',
  description:
    'Replaces the token. Once this call returns, the earlier one is rejected. The new token is shown only once; pending commands wait ' +
    'for the plugin that uses it.',
  method: 'post',
  path: '/v1/stores/{storeId}/gameservers/{gameServerId}/reset-token',
  auth: 'api-key',
  scope: 'gameservers:write',
  params: gameServerPath,
  success: {
    status: 200,
    description: 'The game server, with its new token.',
    schema: gameServerDtoSchema,
    example: { ...newServerExample, ...updateExample, token_reset_at: updateExample.updated_at },
  },
  async handle(ctx, { params, call }) {
    const { gameServer, token } = await ctx.gameServers.resetGameServerToken(params, revokingCall(ctx, call))
    return { body: gameServerDto(gameServer, token) }
  },
})
