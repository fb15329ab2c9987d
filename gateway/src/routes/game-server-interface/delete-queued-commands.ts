import { endpoint } from '../../http/endpoint.ts'
import {
  acknowledge,
  acknowledgedCommands,
  acknowledgedExample,
  acknowledgedIds,
  neverFails,
} from './acknowledgements.ts'

export const deleteQueuedCommands = endpoint({
  operationId: 'deleteQueuedCommands',
  tag: 'Game server interface',
  summary: 'Acknowledge commands (DELETE)',
  description: `The same as a POST to \`/v1/delivery/command-queue/acknowledge\`, as older plugins send it. ${neverFails}`,
  method: 'delete',
  path: '/v1/delivery/command-queue',
  auth: 'game-server',
  body: acknowledgedIds,
  ignoresUnreadableBody: true,
  documentedBody: acknowledgedCommands,
  bodyExample: acknowledgedExample,
  success: { status: 204, description: 'The commands count as executed.' },
  handle: (ctx, request) => acknowledge(ctx, request, request.body),
})
