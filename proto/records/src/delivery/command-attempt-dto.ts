import type { CommandAttempt } from '@storekeep/proto/delivery/v1/delivery_item'
import { z } from 'zod'
import { nameOf } from '../schemas/enums.ts'
import { flakeId, int32, steamId } from '../schemas/fields.ts'
import { idFields } from '../schemas/record.ts'
import { dateTime, printTime } from '../schemas/times.ts'
import { attemptState, attemptStateValues, commandStage, commandStageValues } from './delivery-enums.ts'

export const commandAttemptDtoSchema = z
  .object({
    ...idFields('attempt'),
    inventory_item_id: flakeId.nullable().describe('The item that the command delivers; null without an item.'),
    gameserver_id: flakeId.describe('The server that runs the command.'),
    steam_id: steamId.nullable().describe('SteamID64 of the player when the command was queued.'),
    minecraft_uuid: z.string().nullable().describe('Minecraft UUID of the player when the command was queued.'),
    customer_name: z.string().nullable().describe('Name of the player when the command was queued.'),
    customer_id: flakeId.nullable().describe('The customer who receives the item.'),
    command_stage: commandStage.nullable().describe('When the command runs.'),
    command: z
      .string()
      .describe('The command, with its placeholders replaced; while it is blocked, as in the product.'),
    online_only: z.boolean().describe('Whether the command waits until the player is online.'),
    rerun: z.boolean().describe('Whether staff queued the command again.'),
    queued_at: dateTime.describe('When the command was queued.'),
    executed_at: dateTime.nullable().describe('When a game server reported the command as executed.'),
    executed_by_ip: z.string().nullable().describe('Address from which it was reported as executed.'),
    unqueued_at: dateTime.nullable().describe('When the command was removed from the queue.'),
    state: attemptState.describe('What happened to the command.'),
    missing_placeholders: z
      .array(z.string())
      .describe('The placeholders without a value, which block the command, such as `customer.minecraft.uuid`.'),
    given_out_count: int32(0).describe(
      'How often the command was sent to a game server to be executed. For a command with `online_only`, a poll by GET does not count, because ' +
        'the plugin may ignore the command while the player is offline.',
    ),
    stuck_at: dateTime
      .nullable()
      .describe('Since when the command is no longer sent, because the server never acknowledged it; null otherwise.'),
  })
  .meta({ id: 'CommandAttemptDto', description: 'A command for one game server.' })

export type CommandAttemptDto = z.input<typeof commandAttemptDtoSchema>

export function commandAttemptDto(attempt: CommandAttempt | undefined): CommandAttemptDto {
  if (!attempt?.queuedAt) throw new Error('A service returned no command attempt.')
  const stage = nameOf(commandStageValues, attempt.stage)
  return {
    id: attempt.id,
    store_id: attempt.storeId,
    inventory_item_id: attempt.itemId ?? null,
    gameserver_id: attempt.gameServerId,
    steam_id: attempt.steamId ?? null,
    minecraft_uuid: attempt.minecraftUuid ?? null,
    customer_name: attempt.customerName ?? null,
    customer_id: attempt.customerId ?? null,
    command_stage: stage,
    command: attempt.command,
    online_only: attempt.onlineOnly,
    rerun: attempt.rerun,
    queued_at: printTime(attempt.queuedAt),
    executed_at: printTime(attempt.executedAt),
    executed_by_ip: attempt.executedByIp ?? null,
    unqueued_at: printTime(attempt.unqueuedAt),
    state: nameOf(attemptStateValues, attempt.state),
    missing_placeholders: attempt.missingPlaceholders,
    given_out_count: attempt.givenOutCount,
    stuck_at: printTime(attempt.stuckAt),
  }
}

export const commandAttemptExample: CommandAttemptDto = {
  id: '411486491630370950',
  store_id: '411486491596816384',
  inventory_item_id: '411486491630370940',
  gameserver_id: '411486491630370920',
  steam_id: null,
  minecraft_uuid: '069a79f4-44e9-4726-a5be-fca90e38aaf5',
  customer_name: 'Robin',
  customer_id: '411486491630370816',
  command_stage: 'on_purchase',
  command: 'lp user 069a79f4-44e9-4726-a5be-fca90e38aaf5 parent add vip',
  online_only: false,
  rerun: false,
  queued_at: '2026-11-20T14:35:17.000Z',
  executed_at: '2026-11-20T14:35:18.000Z',
  executed_by_ip: '203.0.113.20',
  unqueued_at: null,
  state: 'executed',
  missing_placeholders: [],
  given_out_count: 1,
  stuck_at: null,
}
