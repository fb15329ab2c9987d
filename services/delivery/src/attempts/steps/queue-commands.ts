import type { Transaction } from '@storekeep/common/postgres'
import {
  type AttemptSelection,
  insertAttempts,
  markReleased,
  markUnqueued,
  type ReleasedAttempt,
  releaseWaiting,
  selectServersOf,
} from '../db/attempt-repository.ts'
import { announceAttempts, announceReleased, lockGameServers, lockQueues } from '../db/queue-repository.ts'
import type { AttemptRow, ServerKey } from '../db/schema.ts'
import type { NewAttempt } from '../domain/attempt.ts'

/**
 * Queues commands in the order of the list. Commands with missing placeholders are blocked; commands for game servers that do not
 * exist are left out.
 *
 * Locks: first the servers against being deleted, and with the commit their queues. A transaction that also locks items does so
 * before.
 *
 * @param attempts of one store
 * @returns the queued commands, in order
 */
export async function queueCommands(tx: Transaction, attempts: readonly NewAttempt[]): Promise<AttemptRow[]> {
  const [first] = attempts
  if (!first) return []
  const serverIds = [...new Set(attempts.map(({ gameServerId }) => gameServerId))]
  const existing = await lockGameServers(tx, first.storeId, serverIds)
  return await queueForLockedServers(
    tx,
    attempts.filter(({ gameServerId }) => existing.has(gameServerId)),
  )
}

/** Like `queueCommands`, for servers that the transaction has locked against being deleted (`lockGameServers`). */
export async function queueForLockedServers(tx: Transaction, attempts: readonly NewAttempt[]): Promise<AttemptRow[]> {
  const rows = await insertAttempts(tx, attempts)
  announceAttempts(tx, rows)
  return rows
}

/**
 * Unqueues the selected commands that are pending or blocked. Commands of the same items that waited for one of them no longer
 * do, unless it was given out and its lease has not ended. A transaction that also locks items does so before.
 * @returns the unqueued ones
 */
export async function unqueueAttempts(tx: Transaction, selection: AttemptSelection, now: Date): Promise<AttemptRow[]> {
  const { storeId } = selection
  const serverIds = await selectServersOf(tx, selection)
  if (serverIds.length === 0) return []
  await lockQueues(tx, storeId, serverIds)
  const unqueued = await markUnqueued(tx, selection, now)
  for (const [gameServerId, ofServer] of Map.groupBy(unqueued, (attempt) => attempt.gameServerId)) {
    await releaseFollowers(tx, { storeId, gameServerId }, ofServer)
  }
  return unqueued
}

/**
 * Makes the commands available that waited for one of these, which are no longer pending. The queue of the server is locked.
 */
export async function releaseFollowers(
  tx: Transaction,
  server: ServerKey,
  ended: readonly Pick<AttemptRow, 'itemId'>[],
): Promise<void> {
  const itemIds = new Set(ended.flatMap(({ itemId }) => itemId ?? []))
  if (await releaseWaiting(tx, server, [...itemIds])) announceReleased(tx, server)
}

/**
 * Makes a blocked command pending, because its placeholders have values now.
 * @param attempt with the rendered command and the identities of its player
 * @returns undefined if it is no longer blocked
 */
export async function releaseBlocked(tx: Transaction, attempt: ReleasedAttempt): Promise<AttemptRow | undefined> {
  const released = await markReleased(tx, attempt)
  if (released) announceAttempts(tx, [released])
  return released
}
