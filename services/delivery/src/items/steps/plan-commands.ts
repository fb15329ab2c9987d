import type { Cause } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import { lockGameServers } from '../../attempts/db/queue-repository.ts'
import type { NewAttempt } from '../../attempts/domain/attempt.ts'
import { queueForLockedServers } from '../../attempts/steps/queue-commands.ts'
import type { AppContext } from '../../context.ts'
import type { Stage } from '../../domain/stage.ts'
import { insertOrderCommands, type OrderCommand } from '../db/order-command-repository.ts'
import { addUnplanned } from '../db/plan-repository.ts'
import type { Item } from '../domain/item.ts'
import {
  isGrant,
  type PlannedCommand,
  plannedCommands,
  type StagePlan,
  withoutOthers,
} from '../domain/planned-commands.ts'
import { activateItem } from './activate-items.ts'
import { loadFacts, renderFor, type StoreFacts, termsOf } from './load-facts.ts'

/** A stage of a locked item whose commands are to be queued. */
export interface Plan {
  item: Item
  stage: Stage
  /** The order that has reached the stage. Default: the one of the item. */
  orderId?: string | null
}

/** The commands of stages that can be queued, and the stages that are left to the sweep. */
export interface PreparedPlans {
  ready: readonly { plan: Plan; known: StagePlan }[]
  waiting: readonly { plan: Plan; planAt: Date }[]
}

/**
 * Queues the commands of stages of items, in order. A stage whose product version or game server is not known, and what
 * exceeds the size of a transaction, is left to the sweep. A usable item without commands becomes active.
 *
 * Locks the customers, then the game servers against being deleted, then the commands that run once per order, then the queues. The
 * items are locked.
 *
 * @param plans of one store
 */
export async function planCommands(
  ctx: AppContext,
  tx: Transaction,
  storeId: string,
  plans: readonly Plan[],
  now: Date,
  cause: Cause,
): Promise<void> {
  if (plans.length === 0) return
  const facts = await loadFacts(
    tx,
    storeId,
    plans.map(({ item }) => item),
  )
  await queuePrepared(ctx, tx, facts, await preparePlans(tx, facts, plans, now), now, cause)
}

/**
 * The first part of `planCommands`, for a transaction that locks queues before it queues commands.
 * @param facts of the items
 */
export async function preparePlans(
  tx: Transaction,
  facts: StoreFacts,
  plans: readonly Plan[],
  now: Date,
): Promise<PreparedPlans> {
  const planned = planAll(facts, plans, now)
  const targeted = serversOf(planned)
  const existing = targeted.size === 0 ? targeted : await lockGameServers(tx, facts.storeId, [...targeted])
  if (existing.size === targeted.size) return { ...planned, ready: await withFirstItems(tx, facts, planned.ready) }
  // A server was deleted since the facts were read. Its commands may be for others now, or have to wait for one.
  const servers = facts.servers.filter(({ id }) => existing.has(id) || !targeted.has(id))
  return await preparePlans(tx, { ...facts, servers }, plans, now)
}

function serversOf({ ready }: PreparedPlans): Set<string> {
  return new Set(ready.flatMap(({ known }) => known.commands.map(({ server }) => server.id)))
}

function planAll(facts: StoreFacts, plans: readonly Plan[], now: Date): PreparedPlans {
  const ready: { plan: Plan; known: StagePlan }[] = []
  const waiting: { plan: Plan; planAt: Date }[] = []
  let count = 0
  for (const plan of plans) {
    const isFull = count >= attemptsPerTransaction
    const known = isFull ? undefined : commandsOf(plan, facts)
    if (known) ready.push({ plan, known })
    else waiting.push({ plan, planAt: isFull ? now : nextTry(plan.item, now) })
    count += known?.commands.length ?? 0
  }
  return { ready, waiting }
}

/** Leaves the commands that run once per order with the first item of the order that reaches the stage. */
async function withFirstItems(
  tx: Transaction,
  { storeId }: StoreFacts,
  ready: PreparedPlans['ready'],
): Promise<PreparedPlans['ready']> {
  const firstOf = new Map<string, { plan: Plan; command: OrderCommand }>()
  const keyOf = ({ orderId, globalCommandId, stage }: OrderCommand) => `${orderId} ${globalCommandId} ${stage}`
  const orderCommand = ({ item, stage, orderId = item.orderId }: Plan, globalCommandId: string): OrderCommand => ({
    orderId: orderId ?? '',
    globalCommandId,
    stage,
  })
  for (const { plan, known } of ready) {
    for (const { onceId } of known.commands) {
      if (onceId === null) continue
      const command = orderCommand(plan, onceId)
      if (!firstOf.has(keyOf(command))) firstOf.set(keyOf(command), { plan, command })
    }
  }
  const reached = [...firstOf.values()].map(({ command }) => command)
  const inserted = new Set((await insertOrderCommands(tx, storeId, reached)).map(keyOf))
  return ready.map(({ plan, known }) => ({
    plan,
    known: withoutOthers(known, (onceId) => {
      const key = keyOf(orderCommand(plan, onceId))
      return inserted.has(key) && firstOf.get(key)?.plan === plan
    }),
  }))
}

/** The second part of `planCommands`. */
export async function queuePrepared(
  ctx: AppContext,
  tx: Transaction,
  facts: StoreFacts,
  { ready, waiting }: PreparedPlans,
  now: Date,
  cause: Cause,
): Promise<void> {
  for (const { plan, planAt } of waiting) {
    await addUnplanned(tx, facts.storeId, [plan.item.id], plan.stage, planAt)
  }
  const attempts = ready.flatMap(({ plan, known }) =>
    known.commands.map((planned) => attemptOf(plan, planned, facts, now)),
  )
  await queueForLockedServers(tx, attempts)
  for (const { plan, known } of ready) {
    const { item, stage } = plan
    if (known.isEmpty && isGrant(stage) && item.state === 'usable') await activateItem(ctx, tx, item, facts, now, cause)
  }
}

/** @returns undefined if the commands are not known yet */
function commandsOf({ item, stage }: Plan, facts: StoreFacts): StagePlan | undefined {
  if (item.skipCommands) return { commands: [], isEmpty: true }
  const terms = termsOf(item, facts)
  return terms && plannedCommands(stage, item, terms, facts.globals, facts.servers)
}

function attemptOf(
  { item, stage }: Plan,
  { command, server, onceId }: PlannedCommand,
  facts: StoreFacts,
  now: Date,
): NewAttempt {
  return {
    storeId: item.storeId,
    itemId: item.id,
    gameServerId: server.id,
    customerId: item.customerId,
    stage,
    template: command.content,
    ...renderFor(item, command.content, server, facts, now),
    onlineOnly: command.onlineOnly,
    requiredSlots: command.requiredSlots,
    originalId: null,
    onceId,
    queuedAt: now,
    dueAt: new Date(now.getTime() + command.delaySeconds * 1000),
  }
}

/**
 * The arrival of the version or of a game server plans the item immediately. The next try is for an arrival at the same time as the
 * order. The delay grows with the age of the item, because most stores without a game server stay without one.
 */
function nextTry({ addedAt }: Item, now: Date): Date {
  const delayMs = Math.min(Math.max((now.getTime() - addedAt.getTime()) / 2, 1000), 3_600_000)
  return new Date(now.getTime() + delayMs)
}

const attemptsPerTransaction = 5000
