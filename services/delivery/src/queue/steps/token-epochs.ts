import { setTimeout } from 'node:timers/promises'
import type { Clock } from '@storekeep/common/clock'
import { errors } from '@storekeep/common/errors'
import type { Database, Transaction } from '@storekeep/common/postgres'
import { tokenRevocationMs } from '@storekeep/proto/conventions/game-server-token'
import type { ServerKey } from '../../attempts/db/schema.ts'
import type { QueueTimes } from '../db/due-repository.ts'
import { announceToken, findCurrentToken, writeTokenChange } from '../db/token-repository.ts'

/**
 * Checks the tokens of game servers, and remembers the result, so that polls that find nothing need no statement.
 *
 * A change of a token also changes the queue of its server, and every read of the changed queues (`createDueQueues`) discards what was
 * remembered about them. What is remembered counts only if such a read began less than a second ago. `outdate` waits longer than that
 * after its change. So when it returns, no replica accepts the earlier token, whatever else fails.
 *
 * @param dependencies.waitMs how long `outdate` waits; for tests
 */
export function createTokenEpochs({ database, clock, waitMs = tokenRevocationMs }: Dependencies): TokenEpochs {
  const remembered = new Map<string, { epoch: bigint; changedAt: number | null }>()
  const lookups = new Map<string, Lookup>()
  let readAt = Number.NEGATIVE_INFINITY

  async function lookUp(server: ServerKey): Promise<bigint | undefined> {
    const { gameServerId: id } = server
    const lookup: Lookup = { reported: undefined }
    lookups.set(id, lookup)
    try {
      const found = await findCurrentToken(database, server)
      const isCurrent = lookup.reported === undefined || lookup.reported === found?.changedAt
      if (!found || !isCurrent || lookups.get(id) !== lookup) return found && BigInt(found.epoch)
      const token = { epoch: BigInt(found.epoch), changedAt: found.changedAt }
      remembered.set(id, token)
      return token.epoch
    } finally {
      if (lookups.get(id) === lookup) lookups.delete(id)
    }
  }

  return {
    applyRead(startedAt, queues) {
      // Queues of deleted servers may have been deleted since the last read.
      if (startedAt - readAt > forgetAfterMs) {
        remembered.clear()
        lookups.clear()
      }
      readAt = startedAt
      for (const { gameServerId, changedAt } of queues) {
        if (remembered.get(gameServerId)?.changedAt !== changedAt) remembered.delete(gameServerId)
        const lookup = lookups.get(gameServerId)
        if (lookup) lookup.reported = changedAt
      }
    },
    async requireCurrent(server, epoch) {
      const isRecent = clock.monotonicMs() - readAt <= maxAgeMs
      if (isRecent && remembered.get(server.gameServerId)?.epoch === epoch) return
      if ((await lookUp(server)) !== epoch) throw errors.unauthorized()
    },
    announce: announceToken,
    async outdate(server) {
      for (;;) {
        const startedAt = clock.monotonicMs()
        await writeTokenChange(database, server)
        // Reads miss a change whose commit takes longer than the period that they read again.
        if (clock.monotonicMs() - startedAt < maxCommitMs) break
      }
      await setTimeout(waitMs)
    },
  }
}

interface Dependencies {
  database: Pick<Database, 'query'>
  clock: Pick<Clock, 'monotonicMs'>
  waitMs?: number
}

/** A lookup that has not returned, and the state of the queue that a read has reported meanwhile. */
interface Lookup {
  reported: number | undefined
}

/** How long ago the last read may have begun. Less than `tokenRevocationMs`, by as much as clocks may differ in speed. */
const maxAgeMs = 1000
/** Less than the period that reads of changes read again. */
const maxCommitMs = 4000
/** Less than the time for which the queue of a deleted server is kept. */
const forgetAfterMs = 30_000

export interface TokenEpochs {
  /** Discards what is remembered about queues that have changed. @param startedAt when their read began, on the monotonic clock */
  applyRead(startedAt: number, queues: readonly Pick<QueueTimes, 'gameServerId' | 'changedAt'>[]): void
  /**
   * @param epoch the epoch of the token that was verified
   * @throws ServiceFault `unauthorized` if it is outdated, or the server is disabled or deleted; `service-unavailable`
   */
  requireCurrent(server: ServerKey, epoch: bigint): Promise<void>
  /** Writes with the commit that the token may have changed, in case the process ends before `outdate`. */
  announce(tx: Transaction, server: ServerKey): void
  /** Resolves when no replica accepts earlier epochs of the token any more. @throws ServiceFault `service-unavailable` */
  outdate(server: ServerKey): Promise<void>
}
