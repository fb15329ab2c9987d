import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { present } from '@storekeep/common/message'
import { deliveryLimits } from '@storekeep/proto/conventions/limits'
import { timeInput } from '@storekeep/records/schemas/times'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { callAsServer } from './call-as-server.ts'
import { fieldsOf, listOf, textOf } from './plugin-values.ts'

const documented = z
  .array(
    z
      .object({
        event: z.string().describe('Kind of event: `player_join`. Others are ignored.'),
        timestamp: timeInput.describe('When it happened.'),
        player_join: z
          .object({
            ip_address: z.string().nullish().describe('Address of the player.'),
            steam_id: z.string().nullish().describe('SteamID64 of the player.'),
            minecraft_uuid: z.string().nullish().describe('Minecraft UUID of the player.'),
            minecraft_name: z.string().nullish().describe('Minecraft name of the player.'),
          })
          .meta({ id: 'GameServerPlayerJoinDto', description: 'A player who joined.' })
          .nullish()
          .describe('Who joined, for `player_join`.'),
      })
      .meta({ id: 'GameServerEventDto', description: 'Something that happened on the server.' }),
  )
  .meta({ description: 'The events, oldest first.' })

const accepted = z.unknown().transform((body) => listOf(body).flatMap(joinOf))

/** The join in an event. Events of other kinds, and those without a valid time, are ignored. */
function joinOf(value: unknown) {
  const { event, timestamp, player_join } = fieldsOf(value)
  const joinedAt = timeOf(timestamp)
  if (event !== 'player_join' || joinedAt === undefined) return []
  const player = fieldsOf(player_join)
  return [
    present({
      joinedAt: timestampFromDate(joinedAt),
      ipAddress: textOf(player.ip_address) || undefined,
      steamId: textOf(player.steam_id) || undefined,
      minecraftUuid: textOf(player.minecraft_uuid) || undefined,
      minecraftName: textOf(player.minecraft_name) || undefined,
    }),
  ]
}

/** A time as RFC 3339, or as the number of seconds or milliseconds since 1970. */
function timeOf(value: unknown): Date | undefined {
  if (typeof value === 'number') {
    const time = new Date(value < firstMilliseconds ? value * 1000 : value)
    return Number.isNaN(time.getTime()) ? undefined : time
  }
  return timeInput.safeParse(value).data
}

/** The first milliseconds of 1973 are seconds of the year 5138. */
const firstMilliseconds = 100_000_000_000

export const createGameServerEvents = endpoint({
  operationId: 'createGameServerEvents',
  tag: 'Game server interface',
  summary: 'Send events of the game server',
  description:
    'Reports which players joined. Storekeep keeps the last join of each customer for 90 days and sends the webhook `customer.joined`. ' +
    'Players who are not customers are ignored.',
  method: 'post',
  path: '/v1/delivery/events',
  auth: 'game-server',
  body: accepted,
  documentedBody: documented,
  bodyExample: [
    {
      event: 'player_join',
      timestamp: '2026-11-20T15:01:12.000Z',
      player_join: {
        ip_address: '203.0.113.7',
        minecraft_uuid: '069a79f4-44e9-4726-a5be-fca90e38aaf5',
        minecraft_name: 'Robin',
      },
    },
  ],
  success: { status: 204, description: 'The events were accepted.' },
  async handle({ commandQueue, eventLimit }, { gameServer, body, call }) {
    eventLimit.take(gameServer.identity.id)
    for (let start = 0; start < body.length; start += deliveryLimits.joins) {
      const joins = body.slice(start, start + deliveryLimits.joins)
      await callAsServer(gameServer, (server) => commandQueue.recordPlayerJoins({ ...server, joins }, call))
    }
    return {}
  },
})
