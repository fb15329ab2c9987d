import type { Transaction } from '@storekeep/common/postgres'
import { unqueueAttempts } from '../../attempts/steps/queue-commands.ts'
import { deletePlayer } from '../../copies/db/player-repository.ts'
import { eraseIdentities, selectOpenAttempts } from '../db/erased-customer-repository.ts'

/**
 * Removes the identities of a deleted customer, also from commands. What was not executed yet is unqueued, because it would have no
 * player. The items stay, and name only the id.
 */
export async function eraseCustomer(tx: Transaction, storeId: string, customerId: string, now: Date): Promise<void> {
  await deletePlayer(tx, storeId, customerId)
  const attemptIds = await selectOpenAttempts(tx, storeId, customerId)
  if (attemptIds.length > 0) await unqueueAttempts(tx, { storeId, attemptIds }, now)
  await eraseIdentities(tx, storeId, customerId)
}
