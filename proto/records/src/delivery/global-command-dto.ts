import type { GlobalCommand } from '@storekeep/proto/delivery/v1/global_command'
import { z } from 'zod'
import { nameOf } from '../schemas/enums.ts'
import { flakeId } from '../schemas/fields.ts'
import { auditDto, auditExample, auditFields, idFields } from '../schemas/record.ts'
import { commandStage, commandStageValues, executionRule, executionRuleValues } from './delivery-enums.ts'

/** Descriptions of the fields, the same in requests and responses. */
export const globalCommandText = {
  stage: 'When the command runs.',
  content: 'The command, with placeholders such as `{customer.name}`.',
  online_only: 'Whether the command waits until the player is online.',
  override_execute_on_gameserver_ids: "The servers that run the command. Empty: the product's servers.",
  execution_rule: 'How often the command runs for an order.',
} as const

export const globalCommandDtoSchema = z
  .object({
    ...idFields('global command'),
    stage: commandStage.describe(globalCommandText.stage),
    content: z.string().describe(globalCommandText.content),
    online_only: z.boolean().describe(globalCommandText.online_only),
    override_execute_on_gameserver_ids: z.array(flakeId).describe(globalCommandText.override_execute_on_gameserver_ids),
    execution_rule: executionRule.describe(globalCommandText.execution_rule),
    ...auditFields,
  })
  .meta({
    id: 'GlobalCommandDto',
    description: "A command that runs for every product, after the product's own commands.",
  })

export type GlobalCommandDto = z.input<typeof globalCommandDtoSchema>

export function globalCommandDto(record: GlobalCommand | undefined): GlobalCommandDto {
  const { command } = record ?? {}
  if (!record || !command) throw new Error('A service returned no global command.')
  return {
    id: record.id,
    store_id: record.storeId,
    stage: nameOf(commandStageValues, command.stage),
    content: command.content,
    online_only: command.onlineOnly,
    override_execute_on_gameserver_ids: command.overrideExecuteOnGameserverIds,
    execution_rule: nameOf(executionRuleValues, record.executionRule),
    ...auditDto(record),
  }
}

export const globalCommandExample: GlobalCommandDto = {
  id: '411486491630370930',
  store_id: '411486491596816384',
  stage: 'on_purchase',
  content: 'broadcast {customer.name} bought {product.name}',
  online_only: false,
  override_execute_on_gameserver_ids: [],
  execution_rule: 'once_per_order',
  ...auditExample,
}
