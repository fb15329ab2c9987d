import type { Clock } from '@storekeep/common/clock'
import type { Database } from '@storekeep/common/postgres'
import type { ServerKey } from '../../attempts/db/schema.ts'
import { recordFetches } from '../db/fetch-repository.ts'

/**
 * Collects when and from where servers have fetched their commands, and writes it at most once a minute per server. Losing it when
 * the process is killed does no harm.
 */
export function createFetchTimes({ database, clock }: Dependencies): FetchTimes {
  const written = new Map<string, { at: number; ip: string }>()
  let pending = new Map<string, Fetch>()

  return {
    record(server, ip) {
      const last = written.get(server.gameServerId)
      const now = clock.monotonicMs()
      if (last && last.ip === ip && now - last.at < intervalMs) return
      written.set(server.gameServerId, { at: now, ip })
      pending.set(server.gameServerId, { ...server, ip, at: clock.now() })
    },
    async flush() {
      const fetches = [...pending.values()]
      if (fetches.length === 0) return
      pending = new Map()
      await recordFetches(database, fetches)
    },
    prune() {
      const before = clock.monotonicMs() - intervalMs
      for (const [id, { at }] of written) if (at < before) written.delete(id)
    },
  }
}

interface Dependencies {
  database: Pick<Database, 'query'>
  clock: Clock
}

const intervalMs = 60_000

/** A poll of a server. */
export interface Fetch extends ServerKey {
  ip: string
  at: Date
}

export interface FetchTimes {
  record(server: ServerKey, ip: string): void
  /** Writes what was collected. If that fails, it is lost. @throws ServiceFault `service-unavailable` */
  flush(): Promise<void>
  /** Forgets servers that have not polled for a minute. */
  prune(): void
}
