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
  /** The id of a global command that runs once per order, with the first item that reaches the stage; otherwise null. */
  onceId: string | null
}

/**
 * The commands of a stage of an item, in the order in which they run: first the product's, then the global ones.
 *
 * @returns undefined if some are for all servers of the store, which has no enabled server yet, or if the product's would deliver
 * the item and all servers that they name were deleted, so that it waits where the staff can see it
 */
export function plannedCommands(
  stage: Stage,
  item: Pick<Item, 'executeOnGameserverId' | 'orderId' | 'quantityIndex'>,
  terms: DeliveryTerms,
  globals: readonly GlobalCommand[],
  servers: readonly TargetServer[],
): StagePlan | undefined {
  const ofProduct = terms.commands.filter((command) => command.stage === stage)
  const global = globals.filter((one) => one.stage === stage && appliesTo(one, item))
  const planned: PlannedCommand[] = []
  for (const command of [...ofProduct, ...global]) {
    const targets = targetsOf(command, item, terms, servers)
    if (!targets) return undefined
    const onceId = global.find((one) => one === command && isOncePerOrder(one, item))?.id ?? null
    planned.push(...targets.map((server) => ({ command, server, onceId })))
  }
  const isUndeliverable = ofProduct.length > 0 && !planned.some(({ command }) => ofProduct.includes(command))
  if (isGrant(stage) && isUndeliverable) return undefined
  return { commands: planned, isEmpty: ofProduct.length + global.length === 0 }
}

/** The stage without the commands that run once per order, unless they run with this item. */
export function withoutOthers({ commands, isEmpty }: StagePlan, runsHere: (onceId: string) => boolean): StagePlan {
  const kept = commands.filter(({ onceId }) => onceId === null || runsHere(onceId))
  return { commands: kept, isEmpty: isEmpty || (kept.length === 0 && commands.length > 0) }
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

/** Items that were handed out together have no order: a command that runs once per order runs with the first of them. */
function appliesTo(command: GlobalCommand, item: Pick<Item, 'orderId' | 'quantityIndex'>): boolean {
  return command.executionRule === 'once_per_item' || item.orderId !== null || item.quantityIndex === 0
}

function isOncePerOrder({ executionRule }: GlobalCommand, { orderId }: Pick<Item, 'orderId'>): boolean {
  return executionRule === 'once_per_order' && orderId !== null
}
