import type { Transaction } from '@storekeep/common/postgres'
import { lockQueues } from '../../attempts/db/queue-repository.ts'
import { releaseBlocked } from '../../attempts/steps/queue-commands.ts'
import { type Player, type StoreGame, uuidOnServer } from '../../copies/domain/player.ts'
import {
  lockBlockedAttempts,
  selectBlockedItems,
  selectServersOfCustomers,
  updateIdentities,
  updateMissing,
} from '../db/blocked-repository.ts'
import { findItems } from '../db/item-repository.ts'
import { playerNameOf } from '../domain/render-command.ts'
import { loadFacts, renderFor } from './load-facts.ts'

/**
 * Applies new identities of customers to their commands. Commands that wait for an offline player get the identities by which the
 * plugin finds the player. Commands that were blocked for a value that exists now are released, even if the customer is the giver
 * of the item. The customers are locked: no transaction queues further commands for them.
 * @param players of one store
 */
export async function releaseCommands(
  tx: Transaction,
  storeId: string,
  players: readonly Player[],
  store: StoreGame | undefined,
  now: Date,
): Promise<void> {
  const identities = players.map((player) => ({
    customerId: player.customerId,
    steamId: player.steamId,
    minecraftUuid: uuidOnServer(player),
    customerName: playerNameOf(player, store),
  }))
  const customerIds = players.map(({ customerId }) => customerId)
  const items = await findItems(tx, storeId, await selectBlockedItems(tx, storeId, customerIds))
  const facts = items.size === 0 ? undefined : await loadFacts(tx, storeId, [...items.values()])
  // After the customers of the facts and before the commands, as everywhere: polls lock the commands of a queue that they hold.
  await lockQueues(tx, storeId, await selectServersOfCustomers(tx, storeId, customerIds))
  await updateIdentities(tx, storeId, identities)
  if (!facts) return
  const blocked = await lockBlockedAttempts(tx, storeId, customerIds)
  for (const attempt of blocked) {
    const item = items.get(attempt.itemId ?? '')
    const server = facts.servers.find(({ id }) => id === attempt.gameServerId)
    if (!item || !server) continue
    const rendered = renderFor(item, attempt.template, server, facts, now)
    if (rendered.missingPlaceholders.length === 0) await releaseBlocked(tx, { ...attempt, ...rendered })
    else await updateMissing(tx, attempt, rendered.missingPlaceholders)
  }
}
