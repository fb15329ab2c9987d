import { errors } from '@storekeep/common/errors'
import type { Transaction } from '@storekeep/common/postgres'
import { findAttempt } from '../../attempts/db/attempt-repository.ts'
import { lockQueues } from '../../attempts/db/queue-repository.ts'
import type { AttemptRow } from '../../attempts/db/schema.ts'
import { releaseBlocked } from '../../attempts/steps/queue-commands.ts'
import { type Player, type StoreGame, uuidOnServer } from '../../copies/domain/player.ts'
import {
  lockBlockedAttempts,
  selectServersOfCustomers,
  updateIdentities,
  updateMissing,
} from '../db/blocked-repository.ts'
import { findItems } from '../db/item-repository.ts'
import { type ReleaseValues, releaseViolations } from '../domain/release-values.ts'
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

/**
 * Releases a blocked command with values of the staff for the placeholders that still have none.
 * @returns the released command
 * @throws ServiceFault `validation-failed` naming every value that is missing, not needed, or cannot be part of a command
 */
export async function releaseWithValues(
  tx: Transaction,
  { storeId, id }: Pick<AttemptRow, 'storeId' | 'id'>,
  values: ReleaseValues,
  now: Date,
): Promise<AttemptRow | 'unknown' | 'not-blocked'> {
  const found = await findAttempt(tx, storeId, id)
  if (!found) return 'unknown'
  await lockQueues(tx, storeId, [found.gameServerId])
  // Read again, because an event of the customer may have released it before the lock.
  const attempt = await findAttempt(tx, storeId, id)
  if (attempt?.state !== 'blocked' || attempt.itemId === null) return 'not-blocked'
  const item = (await findItems(tx, storeId, [attempt.itemId])).get(attempt.itemId)
  if (!item) return 'not-blocked'
  const facts = await readFacts(tx, storeId, [item])
  const server = facts.servers.find((one) => one.id === attempt.gameServerId)
  if (!server) return 'not-blocked'
  const { missingPlaceholders: missing } = renderFor(item, attempt.template, server, facts, now)
  const rendered = renderFor(item, attempt.template, server, facts, now, values)
  const violations = releaseViolations(values, missing, rendered.missingPlaceholders)
  if (violations.length > 0) throw errors.validationFailed(violations)
  return (await releaseBlocked(tx, { ...attempt, ...rendered })) ?? 'not-blocked'
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
