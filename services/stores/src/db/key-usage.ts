import type { Logger } from '@storekeep/common/log'
import type { Queryable } from '@storekeep/common/postgres'
import { noteApiKeyUse } from './api-key-repository.ts'

/** Keeps `last_used_at` of the API keys, at most once a minute each and beside the calls that use them. */
export function createKeyUsage({ database, log }: { database: Queryable; log: Logger }): KeyUsage {
  const writing = new Map<string, Promise<void>>()

  async function write(id: string, now: Date, before: Date): Promise<void> {
    try {
      await noteApiKeyUse(database, id, now, before)
    } catch (error) {
      log.warn({ err: error, api_key_id: id }, 'the use of an API key was not noted')
    } finally {
      writing.delete(id)
    }
  }

  return {
    note(key, now) {
      const before = new Date(now.getTime() - intervalMs)
      if (writing.has(key.id) || (key.lastUsedAt !== null && key.lastUsedAt > before)) return
      writing.set(key.id, write(key.id, now, before))
    },
    settled: async () => {
      await Promise.all(writing.values())
    },
  }
}

const intervalMs = 60_000

export interface KeyUsage {
  /** Notes that the key was used now. Returns at once; a failure is logged and nothing else. */
  note(key: { id: string; lastUsedAt: Date | null }, now: Date): void
  /** Resolves when nothing is being written. */
  settled(): Promise<void>
}
