import {
  globalCommandDto,
  globalCommandDtoSchema,
  globalCommandExample,
} from '@storekeep/records/delivery/global-command-dto'
import { endpoint } from '../../http/endpoint.ts'
import { globalCommandMessage, newGlobalCommand, newGlobalCommandExample } from './global-command-input.ts'

export const createGlobalCommand = endpoint({
  operationId: 'createGlobalCommand',
  tag: 'Delivery',
  summary: 'Create a global command',
  description:
    "Creates a command that runs for every product, after the product's own commands. It applies to stages that begin later. A store " +
    'has at most 50 global commands.',
  method: 'post',
  path: '/v1/stores/{storeId}/global-commands',
  auth: 'api-key',
  scope: 'delivery:write',
  body: newGlobalCommand,
  bodyExample: newGlobalCommandExample,
  success: {
    status: 200,
    description: 'The created command.',
    schema: globalCommandDtoSchema,
    example: globalCommandExample,
  },
  async handle({ globalCommands }, { body, call }) {
    const request = { globalCommand: globalCommandMessage(body) }
    const { globalCommand } = await globalCommands.createGlobalCommand(request, call)
    return { body: globalCommandDto(globalCommand) }
  },
})
