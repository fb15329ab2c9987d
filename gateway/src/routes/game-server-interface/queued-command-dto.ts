import type { QueuedCommand } from '@storekeep/proto/delivery/v1/command_queue_service'
import { flakeId, int32 } from '@storekeep/records/schemas/fields'
import { dateTime, printTime } from '@storekeep/records/schemas/times'
import { z } from 'zod'

/** Fields without a value are left out: the plugins' libraries fail on null and on an empty UUID. */
export const queuedCommandSchema = z
  .object({
    attempt_id: flakeId.describe(
      'Id of the command, which never changes: use it to ignore a command that you have executed.',
    ),
    command: z.string().describe('The command to execute in the console of the server.'),
    online_only: z.boolean().describe('Whether to execute it only while the player is online.'),
    queued_at: dateTime.describe('When the command was queued.'),
    steam_id: z.string().optional().describe('SteamID64 of the player.'),
    minecraft_uuid: z.string().optional().describe('Minecraft UUID of the player, with hyphens.'),
    customer_name: z.string().optional().describe('Name of the player.'),
    required_slots: int32(1).optional().describe('Free inventory slots that the player needs.'),
  })
  .meta({ id: 'QueuedCommandDto', description: 'A command to execute.' })

type QueuedCommandDto = z.input<typeof queuedCommandSchema>

export function queuedCommandDto(command: QueuedCommand): QueuedCommandDto {
  if (!command.queuedAt) throw new Error('A service returned a command without its time.')
  return {
    attempt_id: command.attemptId,
    command: command.command,
    online_only: command.onlineOnly,
    queued_at: printTime(command.queuedAt),
    ...(command.steamId && { steam_id: command.steamId }),
    ...(command.minecraftUuid && { minecraft_uuid: command.minecraftUuid }),
    ...(command.customerName && { customer_name: command.customerName }),
    ...(command.requiredSlots > 0 && { required_slots: command.requiredSlots }),
  }
}

export const queuedCommandExample: QueuedCommandDto = {
  attempt_id: '411486491630370950',
  command: 'lp user 069a79f4-44e9-4726-a5be-fca90e38aaf5 parent add vip',
  online_only: false,
  queued_at: '2026-11-20T14:35:17.000Z',
  minecraft_uuid: '069a79f4-44e9-4726-a5be-fca90e38aaf5',
  customer_name: 'Robin',
}
