import type { DeliveryCommand, DeliveryTerms } from '../../copies/domain/delivery-terms.ts'
import type { Stage } from '../../domain/stage.ts'
import type { GlobalCommand } from '../../global-commands/domain/global-command.ts'
import type { Item } from './item.ts'

/** A game server of the store. */
export interface TargetServer {
  id: string
  name: string
  enabled: boolean
}

/** The commands of a stage. */
export interface StagePlan {
  commands: PlannedCommand[]
  /** Whether the stage has no commands, as opposed to commands for servers that were all deleted. */
  isEmpty: boolean
}

/** A command and the server that is to execute it. */
export interface PlannedCommand {
  command: DeliveryCommand
  server: TargetServer
}

/**
 * The commands of a stage of an item, in the order in which they run: first the product's, then the global ones.
 *
 * @returns undefined if some are for all servers of the store, which has no enabled server yet, or if the product's would deliver
 * the item and all servers that they name were deleted, so that it waits where the staff can see it
 */
export function plannedCommands(
  stage: Stage,
  item: Pick<Item, 'executeOnGameserverId' | 'orderLine' | 'quantityIndex'>,
  terms: DeliveryTerms,
  globals: readonly GlobalCommand[],
  servers: readonly TargetServer[],
): StagePlan | undefined {
  const ofProduct = terms.commands.filter((command) => command.stage === stage)
  const commands = [...ofProduct, ...globals.filter((one) => one.stage === stage && appliesTo(one, item))]
  const planned: PlannedCommand[] = []
  for (const command of commands) {
    const targets = targetsOf(command, item, terms, servers)
    if (!targets) return undefined
    planned.push(...targets.map((server) => ({ command, server })))
  }
  const isUndeliverable = ofProduct.length > 0 && !planned.some(({ command }) => ofProduct.includes(command))
  if (isGrant(stage) && isUndeliverable) return undefined
  return { commands: planned, isEmpty: commands.length === 0 }
}

/** Whether the commands of the stage deliver the item. */
export function isGrant(stage: Stage): boolean {
  return stage === 'on_purchase' || stage === 'on_renew'
}

/** @returns undefined if it is for all servers and there is none; deleted servers are left out */
function targetsOf(
  command: DeliveryCommand,
  { executeOnGameserverId }: Pick<Item, 'executeOnGameserverId'>,
  terms: DeliveryTerms,
  servers: readonly TargetServer[],
): TargetServer[] | undefined {
  const chosen = executeOnGameserverId === null ? [] : [executeOnGameserverId]
  const ids = [command.gameServerIds, chosen, terms.gameServerIds].find((list) => list.length > 0)
  if (ids) return servers.filter(({ id }) => ids.includes(id))
  const enabled = servers.filter((server) => server.enabled)
  return enabled.length === 0 ? undefined : enabled
}

/** A command that runs once per order runs with its first item. */
function appliesTo(
  { executionRule }: GlobalCommand,
  { orderLine, quantityIndex }: Pick<Item, 'orderLine' | 'quantityIndex'>,
): boolean {
  return executionRule === 'once_per_item' || (quantityIndex === 0 && (orderLine ?? 1) === 1)
}
