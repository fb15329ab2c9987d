import { gameServerDto, gameServerDtoSchema } from '@storekeep/records/delivery/game-server-dto'
import { endpoint } from '../../http/endpoint.ts'
import { newGameServer, newGameServerExample } from './game-server-input.ts'
import { newServerExample } from './new-server-example.ts'

export const createGameServer = endpoint({
  operationId: 'createGameServer',
  tag: 'Game servers',
  summary: 'Create a game server',
  description:
    'Creates a game server and its token, which is shown only once. Enter the token into the plugin of the server. Several processes ' +
    'may share one token, such as the proxies of a network. A store has at most 100 game servers.',
  method: 'post',
  path: '/v1/stores/{storeId}/gameservers',
  auth: 'api-key',
  scope: 'gameservers:write',
  body: newGameServer,
  bodyExample: newGameServerExample,
  success: {
    status: 200,
    description: 'The created game server, with its token.',
    schema: gameServerDtoSchema,
    example: newServerExample,
  },
  async handle({ gameServers }, { body, call }) {
    const { gameServer, token } = await gameServers.createGameServer({ gameServer: body }, call)
    return { body: gameServerDto(gameServer, token) }
  },
})
