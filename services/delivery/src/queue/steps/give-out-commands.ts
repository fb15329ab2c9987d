import type { Transaction } from '@storekeep/common/postgres'
import type { AttemptRow, ServerKey } from '../../attempts/db/schema.ts'
import type { AppContext } from '../../context.ts'
import {
  findNextOnline,
  leaseAttempts,
  lockQueue,
  type Online,
  postponeAttempts,
  preferOrderedIndexes,
  selectCandidates,
  updateQueueTimes,
} from '../db/poll-repository.ts'
import { maxCommands } from '../domain/rules.ts'

/**
 * Leases commands of a server that are available, at most 100, in the order in which the server must execute them. A command waits
 * while an earlier one of its item was given out in another response and is neither acknowledged nor past its lease,
 * even if it was unqueued since. Past its lease, the earlier one goes out again first, or in the same response.
 * @param online whose `online_only` commands are given out too
 */
export async function giveOutCommands(
  ctx: GiveOutContext,
  server: ServerKey,
  online: Online,
  call: { signal: AbortSignal },
): Promise<AttemptRow[]> {
  const { database, dueQueues, leaseMs } = ctx
  return await database.transaction(async (tx) => {
    const [, isKnown] = await Promise.all([preferOrderedIndexes(tx), lockQueue(tx, server)])
    if (!isKnown) return []
    const ids = await chooseCommands(tx, server, online)
    const isCertain = online !== 'any'
    const leased = ids.length === 0 ? [] : await leaseAttempts(tx, server, ids, { leaseMs, isCertain })
    const times = await updateQueueTimes(tx, server)
    tx.afterCommit(() => dueQueues.remember(times))
    return leased
  }, call)
}

type GiveOutContext = Pick<AppContext, 'database' | 'dueQueues' | 'leaseMs'>

/** How soon a command is available that waits for one of these customers. Takes no locks. */
export async function findNextCommand(
  { database }: Pick<AppContext, 'database'>,
  server: ServerKey,
  customerIds: readonly string[],
): Promise<{ isAvailable: boolean; nextAt: number | null }> {
  if (customerIds.length === 0) return { isAvailable: false, nextAt: null }
  return await database.transaction(async (tx) => {
    const [, next] = await Promise.all([preferOrderedIndexes(tx), findNextOnline(tx, server, customerIds)])
    return next
  })
}

/** Commands that need not wait. Postpones commands that must, so that they do not take the places of others. */
async function chooseCommands(tx: Transaction, server: ServerKey, online: Online): Promise<string[]> {
  for (let round = 1; ; round += 1) {
    const candidates = await selectCandidates(tx, server, { online, limit: maxCommands })
    const waiting = candidates.filter(({ isWaiting }) => isWaiting)
    if (waiting.length > 0)
      await postponeAttempts(
        tx,
        server,
        waiting.map(({ id }) => id),
      )
    const isComplete = waiting.length === 0 || candidates.length < maxCommands || round === maxRounds
    if (isComplete) return candidates.flatMap(({ id, isWaiting }) => (isWaiting ? [] : [id]))
  }
}

/** Bounds the time that the queue is locked. Further commands go into the next response. */
const maxRounds = 5
