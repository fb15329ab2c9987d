import type { ProductCommand } from '@storekeep/proto/checkout/v1/product'
import { z } from 'zod'
import { commandStage, commandStageValues } from '../delivery/delivery-enums.ts'
import { nameOf } from '../schemas/enums.ts'
import { flakeId, int32 } from '../schemas/fields.ts'

/** Descriptions of the fields of a command, the same in requests and responses. */
export const productCommandText = {
  stage: 'When the command runs.',
  content:
    'The command, with placeholders such as `{customer.name}` or `{variables.color|red}`. A missing value without a default blocks ' +
    'the command. `{{` is a literal brace.',
  online_only: 'Whether the command waits until the player is online.',
  override_execute_on_gameserver_ids: 'The game servers that run the command. Empty: the servers of the product.',
  delay_seconds: 'How long the command waits, in seconds.',
  required_slots: 'Free inventory slots that the player needs; passed on to the game server.',
} as const

export const productCommandDtoSchema = z
  .object({
    stage: commandStage.describe(productCommandText.stage),
    content: z.string().describe(productCommandText.content),
    online_only: z.boolean().describe(productCommandText.online_only),
    override_execute_on_gameserver_ids: z
      .array(flakeId)
      .describe(productCommandText.override_execute_on_gameserver_ids),
    delay_seconds: int32(0).describe(productCommandText.delay_seconds),
    required_slots: int32(0).describe(productCommandText.required_slots),
  })
  .meta({ id: 'ProductCommandDto', description: 'A command that runs on game servers when the product is delivered.' })

export function productCommandDto(command: ProductCommand): z.input<typeof productCommandDtoSchema> {
  return {
    stage: nameOf(commandStageValues, command.stage),
    content: command.content,
    online_only: command.onlineOnly,
    override_execute_on_gameserver_ids: command.overrideExecuteOnGameserverIds,
    delay_seconds: command.delaySeconds,
    required_slots: command.requiredSlots,
  }
}
