import type { DeliveryCommand } from '../../copies/domain/delivery-terms.ts'

/** A command that runs for every product, after its own commands. Ids are decimal strings. */
export interface GlobalCommand extends GlobalCommandState, DeliveryCommand {
  id: string
  storeId: string
}

/** The terms of a global command. */
export interface GlobalCommandState
  extends Pick<DeliveryCommand, 'stage' | 'content' | 'onlineOnly' | 'gameServerIds'> {
  executionRule: ExecutionRule
}

/** The terms of a global command, with their names in the API. */
export const globalCommandFields = {
  stage: 'stage',
  content: 'content',
  onlineOnly: 'online_only',
  gameServerIds: 'override_execute_on_gameserver_ids',
  executionRule: 'execution_rule',
} as const satisfies Record<keyof GlobalCommandState, string>

export const executionRules = ['once_per_item', 'once_per_order'] as const
/** Once per order: in each stage, with the first item of an order that reaches it. */
export type ExecutionRule = (typeof executionRules)[number]
