import {
  globalCommandDto,
  globalCommandDtoSchema,
  globalCommandExample,
} from '@storekeep/records/delivery/global-command-dto'
import { updateExample } from '@storekeep/records/schemas/record'
import { endpoint } from '../../http/endpoint.ts'
import { globalCommandPath } from './delivery-path.ts'
import { globalCommandMask, globalCommandMessage, globalCommandPatch } from './global-command-input.ts'

export const updateGlobalCommand = endpoint({
  operationId: 'updateGlobalCommand',
  tag: 'Delivery',
  summary: 'Update a global command',
  description: 'Omitted fields are left unchanged. Commands that are already queued do not change.',
  method: 'patch',
  path: '/v1/stores/{storeId}/global-commands/{globalCommandId}',
  auth: 'api-key',
  scope: 'delivery:write',
  params: globalCommandPath,
  body: globalCommandPatch,
  bodyExample: { online_only: true },
  success: {
    status: 200,
    description: 'The updated command.',
    schema: globalCommandDtoSchema,
    example: { ...globalCommandExample, ...updateExample, online_only: true },
  },
  async handle({ globalCommands }, { params, body, call }) {
    const update = { globalCommand: globalCommandMessage(body), updateMask: { paths: globalCommandMask(body) } }
    const { globalCommand } = await globalCommands.updateGlobalCommand({ ...params, ...update }, call)
    return { body: globalCommandDto(globalCommand) }
  },
})
