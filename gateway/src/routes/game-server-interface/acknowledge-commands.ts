import { endpoint } from '../../http/endpoint.ts'
import {
  acknowledge,
  acknowledgedCommands,
  acknowledgedExample,
  acknowledgedIds,
  neverFails,
} from './acknowledgements.ts'

export const acknowledgeCommands = endpoint({
  operationId: 'acknowledgeCommands',
  tag: 'Game server interface',
  summary: 'Acknowledge commands',
  description: `Reports commands as executed, so that they are not returned again. ${neverFails}`,
  method: 'post',
  path: '/v1/delivery/command-queue/acknowledge',
  auth: 'game-server',
  body: acknowledgedIds,
  ignoresUnreadableBody: true,
  documentedBody: acknowledgedCommands,
  bodyExample: acknowledgedExample,
  success: { status: 204, description: 'The commands count as executed.' },
  handle: (ctx, request) => acknowledge(ctx, request, request.body),
})
