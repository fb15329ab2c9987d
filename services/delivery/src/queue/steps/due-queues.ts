import type { Clock } from '@storekeep/common/clock'
import type { Database } from '@storekeep/common/postgres'
import { type QueueTimes, selectChangedQueues, selectQueues } from '../db/due-repository.ts'
import type { QueueView } from '../domain/next-step.ts'
import { type Identities, identityKeys } from '../domain/online-players.ts'

/**
 * Remembers when each game server has commands to give out, so that polls that find nothing need no statement.
 *
 * `refresh` reads the queues that have changed; it also reads changes of the last seconds again, because a transaction commits later
 * than the time that it has written, and now and then all queues, in case one took longer than that. While the last successful read
 * is too old, every poll queries the database: an empty response is never based on stale data.
 *
 * All times are times of the database. They are compared with its clock at the last read, advanced by the monotonic clock.
 */
export function createDueQueues({ database, clock, onRead }: Dependencies): DueQueues {
  let queues = new Map<string, KnownQueue>()
  const waiting = new Map<string, Set<() => void>>()
  let lastRead = { at: Number.NEGATIVE_INFINITY, databaseTime: 0 }
  let lastFullAt = Number.NEGATIVE_INFINITY
  let refreshing: Promise<void> | undefined
  let isStopped = false

  const databaseTime = () => lastRead.databaseTime + (clock.monotonicMs() - lastRead.at) * 1000

  function remember(times: QueueTimes): void {
    const known = queues.get(times.gameServerId)
    // A read may have started before a change that this process has made since.
    if (known && known.changedAt >= times.changedAt) return
    queues.set(times.gameServerId, { ...times, rememberedAt: clock.monotonicMs() })
    wake(times.gameServerId)
  }

  function wake(gameServerId: string): void {
    for (const resolve of waiting.get(gameServerId) ?? []) resolve()
  }

  async function refresh(): Promise<void> {
    const startedAt = clock.monotonicMs()
    const isFull = startedAt - lastFullAt >= fullReadMs
    const since = lastRead.databaseTime - overlapMs * 1000
    const read = await (isFull ? selectQueues : selectChangedQueues)(database, since)
    lastRead = { at: clock.monotonicMs(), databaseTime: read.databaseTime }
    if (isFull) {
      lastFullAt = startedAt
      queues = new Map([...queues].filter(([, { rememberedAt }]) => rememberedAt >= startedAt))
    }
    for (const times of read.queues) remember(times)
    onRead(startedAt, read.queues)
  }

  function refreshOnce(): Promise<void> {
    refreshing ??= refresh().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  return {
    refresh: refreshOnce,
    refreshIfAwaited() {
      if (waiting.size > 0 && !isStopped) refreshOnce().catch(() => undefined)
    },
    remember,
    view(gameServerId) {
      if (clock.monotonicMs() - lastRead.at > staleMs) return { isKnown: false }
      const now = databaseTime()
      const { dueAt = null, onlineDueAt = null, changedAt = 0 } = queues.get(gameServerId) ?? {}
      const isDue = dueAt !== null && dueAt <= now
      const isOnlineDue = onlineDueAt !== null && onlineDueAt <= now
      const coming = [dueAt, onlineDueAt].filter((at) => at !== null && at > now).map((at) => (Number(at) - now) / 1000)
      return { isKnown: true, isDue, isOnlineDue, changedAt, nextInMs: Math.min(...coming) }
    },
    rememberAbsent(gameServerId, identities, { changedAt, nextAt }) {
      const queue = queues.get(gameServerId)
      if (!queue || queue.changedAt !== changedAt) return
      const keys = new Set(identityKeys(identities))
      queue.absent = { keys, nextAt, until: clock.monotonicMs() + absentMs }
    },
    isAbsent(gameServerId, identities) {
      const absent = queues.get(gameServerId)?.absent
      if (!absent || clock.monotonicMs() > absent.until) return false
      if (absent.nextAt !== null && absent.nextAt <= databaseTime()) return false
      return identityKeys(identities).every((key) => absent.keys.has(key))
    },
    async wait(gameServerId, ms, signal) {
      if (isStopped || signal.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const resolvers = waiting.get(gameServerId) ?? new Set()
      waiting.set(gameServerId, resolvers.add(resolve))
      const timer = setTimeout(resolve, ms)
      signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
      clearTimeout(timer)
      resolvers.delete(resolve)
      if (resolvers.size === 0) waiting.delete(gameServerId)
    },
    isStopped: () => isStopped,
    stop() {
      isStopped = true
      for (const gameServerId of [...waiting.keys()]) wake(gameServerId)
    },
  }
}

interface Dependencies {
  database: Pick<Database, 'query'>
  clock: Pick<Clock, 'monotonicMs'>
  /** Called with each read: when it began, on the monotonic clock, and at least all queues that have changed since the read before. */
  onRead(startedAt: number, queues: readonly QueueTimes[]): void
}

/** How long a transaction may take from writing the time of its change to its commit, unless a full read finds the change. */
const overlapMs = 5000
const fullReadMs = 60_000
/** How old the last successful read may be. */
const staleMs = 5000
/** How long players are remembered for whom nothing waits: the identities of a customer may have changed. */
const absentMs = 60_000

interface KnownQueue extends QueueTimes {
  rememberedAt: number
  /** The players for whom nothing waits, until something does. */
  absent?: { keys: ReadonlySet<string>; nextAt: number | null; until: number }
}

export interface DueQueues {
  /** Reads changes. Concurrent calls share a read. @throws ServiceFault `service-unavailable` */
  refresh(): Promise<void>
  /** Reads changes soon, if a poll waits for some. */
  refreshIfAwaited(): void
  /** Stores what a poll of this process has computed. */
  remember(times: QueueTimes): void
  view(gameServerId: string): QueueView
  /** Remembers that no command waits for these players while the queue has this state, before `nextAt`. */
  rememberAbsent(
    gameServerId: string,
    identities: Identities,
    state: { changedAt: number; nextAt: number | null },
  ): void
  /** Whether no command waits for these players. */
  isAbsent(gameServerId: string, identities: Identities): boolean
  /** Resolves when the queue may have changed, after `ms`, when the signal is aborted, or when the process stops. */
  wait(gameServerId: string, ms: number, signal: AbortSignal): Promise<void>
  isStopped(): boolean
  /** Ends all waits. */
  stop(): void
}
