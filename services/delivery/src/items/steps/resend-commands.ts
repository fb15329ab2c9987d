import { errors } from '@storekeep/common/errors'
import type { Transaction } from '@storekeep/common/postgres'
import { queueCommands, unqueueAttempts } from '../../attempts/steps/queue-commands.ts'
import { findItems } from '../db/item-repository.ts'
import { selectResent, selectStuck } from '../db/resend-repository.ts'
import type { ResendFilter } from '../domain/resend-filter.ts'
import { loadFacts, renderFor } from './load-facts.ts'

/**
 * Queues commands of a server again, as new attempts that are rendered for the customers as they are now. A stuck command is
 * replaced by its new attempt.
 * @returns how many
 * @throws ServiceFault `conflict` if more than 10,000 commands match
 */
export async function resendCommands(
  tx: Transaction,
  storeId: string,
  filter: ResendFilter,
  now: Date,
): Promise<number> {
  const resent = await selectResent(tx, storeId, filter, maxResent + 1)
  if (resent.length > maxResent) throw errors.conflict(tooMany)
  const items = await findItems(tx, storeId, [...new Set(resent.flatMap(({ itemId }) => itemId ?? []))])
  const facts = await loadFacts(tx, storeId, [...items.values()])
  const server = facts.servers.find(({ id }) => id === filter.gameServerId)
  if (!server) throw errors.notFound('game server')
  const stuck = await selectStuck(tx, { storeId, gameServerId: server.id }, resent)
  if (stuck.length > 0) await unqueueAttempts(tx, { storeId, attemptIds: stuck }, now)
  const attempts = resent.flatMap((attempt) => {
    const item = items.get(attempt.itemId ?? '')
    if (!item) return []
    const { itemId, gameServerId, customerId, stage, template, onlineOnly, requiredSlots, originalId } = attempt
    const same = { storeId, itemId, gameServerId, customerId, stage, template, onlineOnly, requiredSlots }
    const repetition = { originalId: originalId ?? attempt.id, onceId: null, queuedAt: now, dueAt: now }
    return [{ ...same, ...renderFor(item, template, server, facts, now), ...repetition }]
  })
  return (await queueCommands(tx, attempts)).length
}

const maxResent = 10_000
const tooMany = `More than ${maxResent} commands match. Resend them in parts with starts_at and ends_at.`
