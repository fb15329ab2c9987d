import type { Transaction } from '@storekeep/common/postgres'
import { lockQueues } from '../../attempts/db/queue-repository.ts'
import { releaseBlocked } from '../../attempts/steps/queue-commands.ts'
import { type Player, type StoreGame, uuidOnServer } from '../../copies/domain/player.ts'
import {
  lockBlockedAttempts,
  selectServersOfCustomers,
  updateIdentities,
  updateMissing,
} from '../db/blocked-repository.ts'
import { findItems } from '../db/item-repository.ts'
import { playerNameOf } from '../domain/render-command.ts'
import { readFacts, renderFor } from './load-facts.ts'

/**
 * Applies new identities of customers to their commands. Commands that wait for an offline player get the identities by which the
 * plugin finds the player. Commands that were blocked for a value that exists now are released, even if the customer is the giver
 * of the item.
 *
 * The customers are locked: no transaction queues further commands for them. Locks the queues of all stores in order, before any
 * command: polls lock the commands of a queue that they hold. Locks no further customers.
 *
 * @param players of any stores
 * @param storeOf undefined for a store that is not known yet
 */
export async function releaseCommands(
  tx: Transaction,
  players: readonly Player[],
  storeOf: (storeId: string) => StoreGame | undefined,
  now: Date,
): Promise<void> {
  const byStore = [...Map.groupBy(players, ({ storeId }) => storeId)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [storeId, ofStore] of byStore) {
    await lockQueues(tx, storeId, await selectServersOfCustomers(tx, storeId, idsOf(ofStore)))
  }
  for (const [storeId, ofStore] of byStore) await releaseInStore(tx, storeId, ofStore, storeOf(storeId), now)
}

async function releaseInStore(
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
  await updateIdentities(tx, storeId, identities)
  const blocked = await lockBlockedAttempts(tx, storeId, idsOf(players))
  if (blocked.length === 0) return
  const items = await findItems(tx, storeId, [...new Set(blocked.flatMap(({ itemId }) => itemId ?? []))])
  const facts = await readFacts(tx, storeId, [...items.values()])
  for (const attempt of blocked) {
    const item = items.get(attempt.itemId ?? '')
    const server = facts.servers.find(({ id }) => id === attempt.gameServerId)
    if (!item || !server) continue
    const rendered = renderFor(item, attempt.template, server, facts, now)
    if (rendered.missingPlaceholders.length === 0) await releaseBlocked(tx, { ...attempt, ...rendered })
    else await updateMissing(tx, attempt, rendered.missingPlaceholders)
  }
}

function idsOf(players: readonly Player[]): string[] {
  return players.map(({ customerId }) => customerId)
}
