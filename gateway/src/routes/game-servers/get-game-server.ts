import { gameServerDto, gameServerDtoSchema, gameServerExample } from '@storekeep/records/delivery/game-server-dto'
import { endpoint } from '../../http/endpoint.ts'
import { gameServerPath } from './game-server-path.ts'

export const getGameServer = endpoint({
  operationId: 'getGameServer',
  tag: 'Game servers',
  summary: 'Get a game server',
  description: 'Returns one game server by its id, without its token.',
  method: 'get',
  path: '/v1/stores/{storeId}/gameservers/{gameServerId}',
  auth: 'api-key',
  scope: 'gameservers:read',
  params: gameServerPath,
  success: {
    status: 200,
    description: 'The game server.',
    schema: gameServerDtoSchema,
    example: gameServerExample,
  },
  async handle({ gameServers }, { params, call }) {
    const { gameServer } = await gameServers.getGameServer(params, call)
    return { body: gameServerDto(gameServer) }
  },
})
