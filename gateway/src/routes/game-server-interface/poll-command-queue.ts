import { deliveryLimits } from '@storekeep/proto/conventions/limits'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { fieldsOf, textsOf } from './plugin-values.ts'
import { pollCommands, preferHeader } from './poll-commands.ts'
import { queuedCommandExample, queuedCommandSchema } from './queued-command-dto.ts'

const { players } = deliveryLimits

const list = (what: string) =>
  z
    .array(z.string())
    .max(players)
    .nullish()
    .describe(`${what} of the players who are online, at most ${players.toLocaleString('en')}.`)

const documented = z
  .object({
    steam_ids: list('SteamID64s'),
    minecraft_uuids: list('Minecraft UUIDs, with or without hyphens,'),
    customer_names: list('Names'),
  })
  .meta({
    id: 'PollCommandQueueRequestDto',
    description:
      'The players who are online. Numbers are also accepted. Values that cannot be an identity are ignored.',
  })

const accepted = z.unknown().transform((body) => {
  const { steam_ids, minecraft_uuids, customer_names } = fieldsOf(body)
  return {
    steamIds: textsOf(steam_ids, players),
    minecraftUuids: textsOf(minecraft_uuids, players),
    customerNames: textsOf(customer_names, players),
  }
})

export const pollCommandQueue = endpoint({
  operationId: 'pollCommandQueue',
  tag: 'Game server interface',
  summary: 'List the due commands of the players who are online',
  description:
    'Returns up to 100 due commands of the game server, oldest first. Commands with `online_only` are returned only for players in one of the ' +
    'lists. Without lists, no player is online. A returned command is reserved for this ' +
    'caller for 30 seconds by default; after that, it is returned again unless it was acknowledged.',
  method: 'post',
  path: '/v1/delivery/command-queue',
  auth: 'game-server',
  headers: preferHeader,
  body: accepted,
  documentedBody: documented,
  bodyLimitBytes: 512 * 1024,
  bodyExample: { minecraft_uuids: ['069a79f4-44e9-4726-a5be-fca90e38aaf5'], customer_names: ['Robin'] },
  success: {
    status: 200,
    description: 'The due commands. Fields without a value are left out.',
    schema: z.array(queuedCommandSchema),
    example: [queuedCommandExample],
  },
  handle: (ctx, request) => pollCommands(ctx, request, request.body),
})
