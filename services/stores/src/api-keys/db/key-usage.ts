import type { Logger } from '@storekeep/common/log'
import type { Queryable } from '@storekeep/common/postgres'
import { recordApiKeyUse } from './api-key-repository.ts'

/** Updates `last_used_at` of API keys in the background, at most once a minute per key. */
export function createKeyUsage({ database, log }: { database: Queryable; log: Logger }): KeyUsage {
  const writing = new Map<string, Promise<void>>()

  async function write(id: string, now: Date, before: Date): Promise<void> {
    try {
      await recordApiKeyUse(database, id, now, before)
    } catch (error) {
      log.warn({ err: error, api_key_id: id }, 'api key usage update failed')
    } finally {
      writing.delete(id)
    }
  }

  return {
    record(key, now) {
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
  /** Records a use of the key. Returns immediately; failures are only logged. */
  record(key: { id: string; lastUsedAt: Date | null }, now: Date): void
  /** Resolves once all pending writes have finished. */
  settled(): Promise<void>
}
