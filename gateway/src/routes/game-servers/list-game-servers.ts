import { gameServerDto, gameServerDtoSchema, gameServerExample } from '@storekeep/records/delivery/game-server-dto'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'

export const listGameServers = endpoint({
  operationId: 'listGameServers',
  tag: 'Game servers',
  summary: 'List game servers',
  description: 'Returns all game servers of the store, oldest first, without their tokens.',
  method: 'get',
  path: '/v1/stores/{storeId}/gameservers',
  auth: 'api-key',
  scope: 'gameservers:read',
  success: {
    status: 200,
    description: 'The game servers.',
    schema: z.array(gameServerDtoSchema),
    example: [gameServerExample],
  },
  async handle({ gameServers }, { call }) {
    const response = await gameServers.listGameServers({}, call)
    return { body: response.gameServers.map((one) => gameServerDto(one)) }
  },
})
