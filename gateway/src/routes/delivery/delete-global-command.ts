import { endpoint } from '../../http/endpoint.ts'
import { globalCommandPath } from './delivery-path.ts'

export const deleteGlobalCommand = endpoint({
  operationId: 'deleteGlobalCommand',
  tag: 'Delivery',
  summary: 'Delete a global command',
  description: 'Deletes the global command. Commands that are already queued still run.',
  method: 'delete',
  path: '/v1/stores/{storeId}/global-commands/{globalCommandId}',
  auth: 'api-key',
  scope: 'delivery:write',
  params: globalCommandPath,
  success: { status: 204, description: 'The global command was deleted.' },
  async handle({ globalCommands }, { params, call }) {
    await globalCommands.deleteGlobalCommand(params, call)
    return {}
  },
})
