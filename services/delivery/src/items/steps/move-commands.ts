import type { Transaction } from '@storekeep/common/postgres'
import { lockGameServers } from '../../attempts/db/queue-repository.ts'
import type { AttemptRow } from '../../attempts/db/schema.ts'
import type { NewAttempt } from '../../attempts/domain/attempt.ts'
import { selectOtherOwnedItems } from '../db/item-repository.ts'
import { lockOrderCommands } from '../db/order-command-repository.ts'
import type { Item } from '../domain/item.ts'
import { isGrant } from '../domain/planned-commands.ts'
import { renderFor, type StoreFacts } from './load-facts.ts'

/**
 * Finds the items that take over commands that run once per order from items that are removed: the first other item of the order
 * that is owned. Locks the recorded commands of the orders, which keeps the items from being removed. The removed items are locked.
 */
export async function findHeirs(tx: Transaction, storeId: string, removed: readonly Item[]): Promise<Item[]> {
  const orderIds = await lockOrderCommands(tx, storeId, [...new Set(removed.flatMap(({ orderId }) => orderId ?? []))])
  if (orderIds.length === 0) return []
  const removedIds = removed.map(({ id }) => id)
  return await selectOtherOwnedItems(tx, storeId, orderIds, removedIds)
}

/** Locks the servers against being deleted to which commands may move. Before the queues, as everywhere. */
export async function lockServersOfMoves(
  tx: Transaction,
  { storeId, servers }: StoreFacts,
  heirs: readonly Item[],
): Promise<Set<string>> {
  if (heirs.length === 0) return new Set()
  const serverIds = servers.map(({ id }) => id)
  return await lockGameServers(tx, storeId, serverIds)
}

/**
 * The commands that run once per order, as commands of the heirs. A command whose lease is running stays with its item, because the
 * game server is about to execute it.
 * @param unqueued the commands of removed items
 * @param serverIds the servers that are locked
 */
export function movedCommands(
  unqueued: readonly AttemptRow[],
  { removed, heirs, serverIds }: { removed: readonly Item[]; heirs: readonly Item[]; serverIds: ReadonlySet<string> },
  facts: StoreFacts,
  now: Date,
): NewAttempt[] {
  return unqueued.flatMap((attempt) => {
    const { storeId, gameServerId, stage, template, onlineOnly, requiredSlots, originalId, onceId, dueAt } = attempt
    const item = removed.find(({ id }) => id === attempt.itemId)
    const heir = heirs.find(({ orderId }) => orderId === item?.orderId)
    const server = facts.servers.find(({ id }) => id === gameServerId && serverIds.has(id))
    const isLeased = attempt.leasedUntil !== null && attempt.leasedUntil > now
    if (onceId === null || !isGrant(stage) || isLeased || !item || !heir || !server) return []
    const same = { storeId, gameServerId, stage, template, onlineOnly, requiredSlots, originalId, onceId, dueAt }
    const rendered = renderFor(heir, template, server, facts, now)
    return [{ ...same, ...rendered, itemId: heir.id, customerId: heir.customerId, queuedAt: now }]
  })
}
