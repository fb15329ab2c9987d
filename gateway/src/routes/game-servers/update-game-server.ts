import { gameServerDto, gameServerDtoSchema, gameServerExample } from '@storekeep/records/delivery/game-server-dto'
import { updateExample } from '@storekeep/records/schemas/record'
import { endpoint } from '../../http/endpoint.ts'
import { gameServerChange, gameServerPatch } from './game-server-input.ts'
import { gameServerPath } from './game-server-path.ts'
import { revokingCall } from './revoking-call.ts'

export const updateGameServer = endpoint({
  operationId: 'updateGameServer',
  tag: 'Game servers',
  summary: 'Update a game server',
  description:
    'Omitted fields are left unchanged. Once this call has disabled a server, its plugin gets 403, and the commands of the server wait ' +
    'until it is enabled.',
  method: 'patch',
  path: '/v1/stores/{storeId}/gameservers/{gameServerId}',
  auth: 'api-key',
  scope: 'gameservers:write',
  params: gameServerPath,
  body: gameServerPatch,
  bodyExample: { enabled: false },
  success: {
    status: 200,
    description: 'The updated game server.',
    schema: gameServerDtoSchema,
    example: { ...gameServerExample, ...updateExample, enabled: false },
  },
  async handle(ctx, { params, body, call }) {
    const { gameServer } = await ctx.gameServers.updateGameServer(
      { ...params, ...gameServerChange(body) },
      revokingCall(ctx, call),
    )
    return { body: gameServerDto(gameServer) }
  },
})
