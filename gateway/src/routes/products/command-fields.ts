import { productLimits } from '@storekeep/proto/conventions/limits'
import { commandStage, commandStageValues } from '@storekeep/records/delivery/delivery-enums'
import { productCommandText } from '@storekeep/records/products/product-command-dto'
import { flakeId, int32, text } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

/** A command in the body of a product. */
export const productCommand = z
  .object({
    stage: commandStage.describe(productCommandText.stage),
    content: text(1, productLimits.commandLength).describe(productCommandText.content),
    online_only: z.boolean().describe(productCommandText.online_only),
    override_execute_on_gameserver_ids: z
      .array(flakeId)
      .max(productLimits.gameServers)
      .nullish()
      .describe(productCommandText.override_execute_on_gameserver_ids),
    delay_seconds: int32(0, productLimits.commandDelaySeconds).nullish().describe(productCommandText.delay_seconds),
    required_slots: int32(0, productLimits.commandSlots).nullish().describe(productCommandText.required_slots),
  })
  .meta({ id: 'CreateProductCommandDto', description: 'A command that runs on game servers.' })

/** The command as the checkout service expects it. */
export function productCommandMessage(command: z.output<typeof productCommand>) {
  return {
    stage: commandStageValues[command.stage],
    content: command.content,
    onlineOnly: command.online_only,
    overrideExecuteOnGameserverIds: command.override_execute_on_gameserver_ids ?? [],
    delaySeconds: command.delay_seconds ?? 0,
    requiredSlots: command.required_slots ?? 0,
  }
}
