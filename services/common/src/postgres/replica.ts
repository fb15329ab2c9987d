import sql, { type Sql } from 'sql-template-tag'
import type { Logger } from '../log/index.ts'
import { expectRow } from './expect-row.ts'
import type { Queryable } from './transaction.ts'

/**
 * Measures how stale a read replica is. Every second it records the WAL position of the primary, and checks which recorded
 * positions the replica has replayed: the replica contains every change that was committed before the newest of them was
 * recorded. This uses no server's clock, and a replica that is disconnected from the primary becomes stale.
 *
 * Starts with the first call of `isFresh`.
 *
 * @param replica a standby; after its promotion, it is fresh only if the primary is the same server
 */
export function watchReplica({ primary, replica, maxLagMs, log }: ReplicaOptions): ReplicaWatch {
  let marks: Mark[] = []
  let freshAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let wasFresh: boolean | undefined

  function isFresh(): boolean {
    if (timer === undefined && !isStopped) schedule(0)
    return performance.now() - freshAt <= maxLagMs
  }

  function schedule(ms: number): void {
    timer = setTimeout(() => void check(), ms).unref()
  }

  async function check(): Promise<void> {
    let error: unknown
    try {
      const at = performance.now()
      const reached = await readLog(primary)
      marks.push({ position: reached.position, at })
      const replayed = await readLog(replica)
      if (replayed.timeline !== null && replayed.timeline !== reached.timeline) {
        throw new Error('The read replica was promoted, and is not the primary of this process.')
      }
      const known = marks.filter(({ position }) => position <= replayed.position)
      freshAt = known.at(-1)?.at ?? freshAt
      // Older marks can no longer make the replica fresh.
      marks = marks.slice(known.length).filter((mark) => mark.at > at - maxLagMs)
    } catch (cause) {
      error = cause
    }
    report(error)
    if (!isStopped) schedule(Math.min(everyMs, maxLagMs / 4))
  }

  function report(error: unknown): void {
    const now = isFresh()
    if (now === wasFresh) return
    if (now) log.info('read replica in use')
    else log.warn({ err: error }, 'read replica unavailable: the primary serves all reads')
    wasFresh = now
  }

  return {
    isFresh,
    discard() {
      freshAt = Number.NEGATIVE_INFINITY
      marks = []
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

const everyMs = 1000

async function readLog(server: Queryable): Promise<{ position: bigint; timeline: string | null }> {
  const row = expectRow(await server.query<{ position: string; timeline: string | null }>(logStatement))
  return { ...row, position: BigInt(row.position) }
}

/** The timeline is null for a standby. Promotion starts a new one, whose positions cannot be compared with other timelines. */
const logStatement: Sql = sql`
  select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0'::pg_lsn as position,
    case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`

interface ReplicaOptions {
  primary: Queryable
  replica: Queryable
  /** The replica is fresh while it is at most this far behind. */
  maxLagMs: number
  log: Pick<Logger, 'info' | 'warn'>
}

export interface ReplicaWatch {
  isFresh(): boolean
  /** Call it when the replica failed: it is not fresh until the next successful check. */
  discard(): void
  stop(): void
}

/** What the primary had written at a time on the monotonic clock. */
interface Mark {
  position: bigint
  at: number
}
