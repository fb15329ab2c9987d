import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { pollCommands, preferHeader } from './poll-commands.ts'
import { queuedCommandExample, queuedCommandSchema } from './queued-command-dto.ts'

export const listCommandQueue = endpoint({
  operationId: 'listCommandQueue',
  tag: 'Game server interface',
  summary: 'List all due commands',
  description:
    'Returns up to 100 due commands of the game server, oldest first. Execute a command with `online_only` only while its player is ' +
    'online. A returned command is reserved for this ' +
    'caller for 30 seconds by default; after that, it is returned again unless it was acknowledged.',
  method: 'get',
  path: '/v1/delivery/command-queue',
  auth: 'game-server',
  headers: preferHeader,
  success: {
    status: 200,
    description: 'The due commands. Fields without a value are left out.',
    schema: z.array(queuedCommandSchema),
    example: [{ ...queuedCommandExample, online_only: true }],
  },
  handle: (ctx, request) => pollCommands(ctx, request, undefined),
})
