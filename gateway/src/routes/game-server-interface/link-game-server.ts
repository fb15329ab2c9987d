import { gameServerExample } from '@storekeep/records/delivery/game-server-dto'
import { fails, flakeId } from '@storekeep/records/schemas/fields'
import { dateTime, printTime } from '@storekeep/records/schemas/times'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { callAsServer } from './call-as-server.ts'
import { fieldsOf, textOf } from './plugin-values.ts'

const texts = {
  ip: 'Address of the server; may be empty.',
  hostname: 'Name of the server; may be empty.',
  platform: 'Software of the server; may be empty.',
  version: 'Version of the plugin; may be empty.',
} as const

const names = Object.keys(texts) as (keyof typeof texts)[]

const documented = z
  .object({
    ip: z.string().describe(texts.ip),
    hostname: z.string().describe(texts.hostname),
    platform: z.string().describe(texts.platform),
    version: z.string().describe(texts.version),
  })
  .meta({ id: 'LinkGameServerRequestDto', description: 'The report of a plugin about its server.' })

/** The fields are required, but may be numbers or null. */
const accepted = z
  .unknown()
  .superRefine((body, context) => {
    const given = fieldsOf(body)
    for (const name of names) {
      if (!(name in given)) {
        const { error: message, params } = fails('required', 'is required')
        context.addIssue({ code: 'custom', path: [name], message, params })
      }
    }
  })
  .transform((body) => {
    const given = fieldsOf(body)
    return {
      ip: textOf(given.ip),
      hostname: textOf(given.hostname),
      platform: textOf(given.platform),
      version: textOf(given.version),
    }
  })

export const linkGameServer = endpoint({
  operationId: 'linkGameServer',
  tag: 'Game server interface',
  summary: 'Link the game server',
  description:
    'Reports which server uses the token. Plugins call it when they start. `previously_linked` names the server that used the token ' +
    'before, if it had another address or name.',
  method: 'post',
  path: '/v1/delivery/gameserver/link',
  auth: 'game-server',
  body: accepted,
  documentedBody: documented,
  bodyExample: { ip: '203.0.113.20', hostname: 'Survival', platform: 'Paper 1.21.4', version: '1.0.0' },
  bodyLimitBytes: 16 * 1024,
  success: {
    status: 200,
    description: 'The game server of the token. Fields without a value are left out.',
    schema: z
      .object({
        update_available: z.boolean().describe('Always false: Storekeep does not know the versions of plugins.'),
        gameserver: z
          .object({
            id: flakeId.describe('Id of the game server.'),
            name: z.string().describe('Name of the game server.'),
            enabled: z.boolean().describe('Whether it may fetch commands.'),
          })
          .meta({ id: 'LinkedGameServerDto', description: 'The game server of the token.' })
          .describe('The server that the token belongs to.'),
        store_id: flakeId.describe('Id of the store.'),
        store_platform: z.string().describe('Game of the store, such as `minecraft`.'),
        previously_linked: z
          .object({
            ip: z.string().describe('Address of the server.'),
            host_name: z.string().describe('Name of the server.'),
            last_linked_at: dateTime.describe('When it was linked.'),
          })
          .meta({ id: 'PreviousGameServerLinkDto', description: 'The server that used the token before.' })
          .optional()
          .describe('Present only if another server used the token before.'),
      })
      .meta({ id: 'LinkGameServerResponseDto', description: 'The game server of a token, and its store.' }),
    example: {
      update_available: false,
      gameserver: { id: gameServerExample.id, name: gameServerExample.name, enabled: true },
      store_id: gameServerExample.store_id,
      store_platform: 'minecraft',
    },
  },
  async handle({ gameServers }, { gameServer: caller, body, call }) {
    const response = await callAsServer(caller, (server) => gameServers.linkGameServer({ ...server, ...body }, call))
    const { gameServer, storePlatform, previouslyLinked: previous } = response
    if (!gameServer) throw new Error('A service returned no game server.')
    return {
      body: {
        update_available: false,
        gameserver: { id: gameServer.id, name: gameServer.name, enabled: gameServer.enabled },
        store_id: gameServer.storeId,
        store_platform: storePlatform,
        ...(previous?.linkedAt && {
          previously_linked: {
            ip: previous.ip,
            host_name: previous.hostname,
            last_linked_at: printTime(previous.linkedAt),
          },
        }),
      },
    }
  },
})
