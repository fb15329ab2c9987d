import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { acknowledge, neverFails } from './acknowledgements.ts'

export const deleteQueuedCommand = endpoint({
  operationId: 'deleteQueuedCommand',
  tag: 'Game server interface',
  summary: 'Acknowledge a command',
  description: `Reports one command as executed. ${neverFails}`,
  method: 'delete',
  path: '/v1/delivery/command-queue/{attemptId}',
  auth: 'game-server',
  params: z.object({ attemptId: z.string().describe('Id of the executed command.') }),
  success: { status: 204, description: 'The command counts as executed.' },
  handle: (ctx, request) => acknowledge(ctx, request, [request.params.attemptId]),
})
