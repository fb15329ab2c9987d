import {
  globalCommandDto,
  globalCommandDtoSchema,
  globalCommandExample,
} from '@storekeep/records/delivery/global-command-dto'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'

export const listGlobalCommands = endpoint({
  operationId: 'listGlobalCommands',
  tag: 'Delivery',
  summary: 'List global commands',
  description: 'Returns all global commands of the store, oldest first, which is the order in which they run.',
  method: 'get',
  path: '/v1/stores/{storeId}/global-commands',
  auth: 'api-key',
  scope: 'delivery:read',
  success: {
    status: 200,
    description: 'The global commands.',
    schema: z.array(globalCommandDtoSchema),
    example: [globalCommandExample],
  },
  async handle({ globalCommands }, { call }) {
    const response = await globalCommands.listGlobalCommands({}, call)
    return { body: response.globalCommands.map(globalCommandDto) }
  },
})
