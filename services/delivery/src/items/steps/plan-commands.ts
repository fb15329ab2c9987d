import type { Cause } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import type { NewAttempt } from '../../attempts/domain/attempt.ts'
import { queueCommands } from '../../attempts/steps/queue-commands.ts'
import type { AppContext } from '../../context.ts'
import type { Stage } from '../../domain/stage.ts'
import { addUnplanned } from '../db/plan-repository.ts'
import type { Item } from '../domain/item.ts'
import { isGrant, type PlannedCommand, plannedCommands, type StagePlan } from '../domain/planned-commands.ts'
import { activateItem } from './activate-items.ts'
import { loadFacts, renderFor, type StoreFacts, termsOf } from './load-facts.ts'

/** A stage of a locked item whose commands are to be queued. */
export interface Plan {
  item: Item
  stage: Stage
}

/**
 * Queues the commands of stages of items, in order. A stage whose product version or game server is not known, and what
 * exceeds the size of a transaction, is left to the sweep. A usable item without commands becomes active.
 *
 * Locks the customers, then the queues. The items are locked.
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
  await planWith(ctx, tx, facts, plans, now, cause)
}

/** Like `planCommands`, with facts that were loaded before. */
export async function planWith(
  ctx: AppContext,
  tx: Transaction,
  facts: StoreFacts,
  plans: readonly Plan[],
  now: Date,
  cause: Cause,
): Promise<void> {
  const attempts: NewAttempt[] = []
  const withoutCommands: Item[] = []
  for (const [index, plan] of plans.entries()) {
    if (attempts.length >= attemptsPerTransaction) {
      for (const { item, stage } of plans.slice(index)) await addUnplanned(tx, facts.storeId, [item.id], stage, now)
      break
    }
    const known = commandsOf(plan, facts)
    if (!known) {
      await addUnplanned(tx, facts.storeId, [plan.item.id], plan.stage, nextTry(plan.item, now))
    } else {
      if (known.isEmpty && isGrant(plan.stage) && plan.item.state === 'usable') withoutCommands.push(plan.item)
      attempts.push(...known.commands.map((planned) => attemptOf(plan, planned, facts, now)))
    }
  }
  await queueCommands(tx, attempts)
  for (const item of withoutCommands) await activateItem(ctx, tx, item, facts, now, cause)
}

/** @returns undefined if the commands are not known yet */
function commandsOf({ item, stage }: Plan, facts: StoreFacts): StagePlan | undefined {
  if (item.skipCommands) return { commands: [], isEmpty: true }
  const terms = termsOf(item, facts)
  return terms && plannedCommands(stage, item, terms, facts.globals, facts.servers)
}

function attemptOf(
  { item, stage }: Plan,
  { command, server }: PlannedCommand,
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
