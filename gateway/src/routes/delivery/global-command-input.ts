import { present } from '@storekeep/common/message'
import { deliveryLimits } from '@storekeep/proto/conventions/limits'
import {
  commandStage,
  commandStageValues,
  executionRule,
  executionRuleValues,
} from '@storekeep/records/delivery/delivery-enums'
import { globalCommandText } from '@storekeep/records/delivery/global-command-dto'
import { flakeId, text } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

const { commandLength, serversPerCommand } = deliveryLimits

const fields = {
  stage: commandStage.describe(globalCommandText.stage),
  content: text(1, commandLength).describe(globalCommandText.content),
  online_only: z.boolean().describe(globalCommandText.online_only),
}

const optional = {
  override_execute_on_gameserver_ids: z
    .array(flakeId)
    .max(serversPerCommand)
    .nullish()
    .describe(globalCommandText.override_execute_on_gameserver_ids),
  execution_rule: executionRule.nullish().describe(`${globalCommandText.execution_rule} Default: \`once_per_item\`.`),
}

export const newGlobalCommand = z
  .object({ ...fields, ...optional })
  .meta({ id: 'CreateGlobalCommandDto', description: 'A new global command.' })

/** Null leaves a field unchanged, as does its absence. */
export const globalCommandPatch = z
  .object({
    stage: commandStage.nullish().describe(globalCommandText.stage),
    content: fields.content.nullish().describe(globalCommandText.content),
    online_only: z.boolean().nullish().describe(globalCommandText.online_only),
    ...optional,
  })
  .meta({
    id: 'UpdateGlobalCommandDto',
    description: 'Changes to a global command. Omitted fields are left unchanged.',
  })

export const newGlobalCommandExample: z.input<typeof newGlobalCommand> = {
  stage: 'on_purchase',
  content: 'broadcast {customer.name} bought {product.name}',
  online_only: false,
  execution_rule: 'once_per_order',
}

/** The body as the delivery service expects it, without absent fields. */
export function globalCommandMessage(body: z.output<typeof globalCommandPatch>) {
  return present({
    stage: body.stage && commandStageValues[body.stage],
    content: body.content,
    onlineOnly: body.online_only,
    overrideExecuteOnGameserverIds: body.override_execute_on_gameserver_ids,
    executionRule: body.execution_rule && executionRuleValues[body.execution_rule],
  })
}

/** The field mask of a PATCH. */
export function globalCommandMask(body: z.output<typeof globalCommandPatch>): string[] {
  return Object.entries(body).flatMap(([name, value]) => (value == null ? [] : [name]))
}
