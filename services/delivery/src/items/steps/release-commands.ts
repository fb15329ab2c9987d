import type { Transaction } from '@storekeep/common/postgres'
import { releaseBlocked } from '../../attempts/steps/queue-commands.ts'
import { type Player, type StoreGame, uuidOnServer } from '../../copies/domain/player.ts'
import { lockBlockedAttempts, updateIdentities, updateMissing } from '../db/blocked-repository.ts'
import { findItems } from '../db/item-repository.ts'
import { playerNameOf } from '../domain/render-command.ts'
import { loadFacts, renderFor } from './load-facts.ts'

/**
 * Applies new identities of customers to their commands. Commands that wait for an offline player get the identities by which the
 * plugin finds the player. Commands that were blocked for a value that exists now are released, even if the customer is the giver
 * of the item. The customers are locked.
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
  await updateIdentities(tx, storeId, identities)
  const blocked = await lockBlockedAttempts(
    tx,
    storeId,
    players.map(({ customerId }) => customerId),
  )
  if (blocked.length === 0) return
  const items = await findItems(tx, storeId, [...new Set(blocked.flatMap(({ itemId }) => itemId ?? []))])
  const facts = await loadFacts(tx, storeId, [...items.values()])
  for (const attempt of blocked) {
    const item = items.get(attempt.itemId ?? '')
    const server = facts.servers.find(({ id }) => id === attempt.gameServerId)
    if (!item || !server) continue
    const rendered = renderFor(item, attempt.template, server, facts, now)
    if (rendered.missingPlaceholders.length === 0) await releaseBlocked(tx, { ...attempt, ...rendered })
    else await updateMissing(tx, attempt, rendered.missingPlaceholders)
  }
}
