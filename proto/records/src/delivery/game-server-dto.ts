import type { GameServer, GameServerLink } from '@storekeep/proto/delivery/v1/game_server'
import { z } from 'zod'
import { auditDto, auditExample, auditFields, idFields } from '../schemas/record.ts'
import { dateTime, printTime } from '../schemas/times.ts'

const linkSchema = z
  .object({
    ip: z.string().describe('Address of the server, as the plugin reported it; may be empty.'),
    hostname: z.string().describe('Name of the server, as the plugin reported it; may be empty.'),
    platform: z.string().describe('Software of the server, as the plugin reported it; may be empty.'),
    version: z.string().describe('Version of the plugin, as the plugin reported it; may be empty.'),
    saved_at: dateTime.describe('When the plugin reported this.'),
    last_fetched_commands_at: dateTime
      .nullable()
      .describe('When the server last fetched commands, to the minute; null if it never did.'),
    last_fetched_commands_from_ip: z
      .string()
      .nullable()
      .describe('Address from which the server last fetched commands; null if it never did.'),
  })
  .meta({ id: 'GameServerLinkDto', description: 'The report of a plugin about its game server.' })

export const gameServerDtoSchema = z
  .object({
    ...idFields('game server'),
    name: z.string().describe('Name of the server, which buyers see when they choose one.'),
    enabled: z.boolean().describe('Whether the server may fetch commands. The commands of a disabled server wait.'),
    token: z
      .string()
      .nullable()
      .describe(
        'Secret for the plugin. Returned only when the server is created or its token is reset; otherwise null.',
      ),
    token_reset_at: dateTime.nullable().describe('When the token was last reset; null if it never was.'),
    linked_to: linkSchema
      .nullable()
      .describe('The server that last used the token; null until a plugin has connected.'),
    ...auditFields,
  })
  .meta({ id: 'GameServerDto', description: 'A game server, whose plugin executes the commands of paid goods.' })

export type GameServerDto = z.input<typeof gameServerDtoSchema>

/** @param token only when it was just created */
export function gameServerDto(server: GameServer | undefined, token?: string): GameServerDto {
  if (!server) throw new Error('A service returned no game server.')
  return {
    id: server.id,
    store_id: server.storeId,
    name: server.name,
    enabled: server.enabled,
    token: token ?? null,
    token_reset_at: printTime(server.tokenResetAt),
    linked_to: server.linkedTo ? linkDto(server.linkedTo) : null,
    ...auditDto(server),
  }
}

function linkDto(link: GameServerLink): z.input<typeof linkSchema> {
  if (!link.savedAt) throw new Error('A service returned a link without its time.')
  return {
    ip: link.ip,
    hostname: link.hostname,
    platform: link.platform,
    version: link.version,
    saved_at: printTime(link.savedAt),
    last_fetched_commands_at: printTime(link.lastFetchedCommandsAt),
    last_fetched_commands_from_ip: link.lastFetchedCommandsFromIp ?? null,
  }
}

export const gameServerExample: GameServerDto = {
  id: '411486491630370920',
  store_id: '411486491596816384',
  name: 'Survival',
  enabled: true,
  token: null,
  token_reset_at: null,
  linked_to: {
    ip: '203.0.113.20',
    hostname: 'Survival',
    platform: 'Paper 1.21.4',
    version: '1.0.0',
    saved_at: '2026-11-20T14:36:02.000Z',
    last_fetched_commands_at: '2026-11-20T15:01:00.000Z',
    last_fetched_commands_from_ip: '203.0.113.20',
  },
  ...auditExample,
}
