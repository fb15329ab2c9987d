import type { Clock } from '@storekeep/common/clock'
import type { AccountLookup } from './profile-provider.ts'

type Lookup = (id: string) => Promise<AccountLookup>

/**
 * Wraps a lookup with an LRU cache of `size` results: accounts for `foundMs`, definite absences for `absentMs`, failures
 * not at all. Concurrent callers share one request. A lookup that throws counts as failed.
 */
export function cachedLookup(lookup: Lookup, options: CacheOptions): Lookup {
  const { clock, size, foundMs = 3_600_000, absentMs = 60_000 } = options
  const entries = new Map<string, Entry>()

  async function load(id: string, entry: Entry): Promise<AccountLookup> {
    try {
      const result = await lookup(id)
      entry.until = clock.monotonicMs() + (result.outcome === 'found' ? foundMs : absentMs)
      return result
    } catch (cause) {
      if (entries.get(id) === entry) entries.delete(id)
      return { outcome: 'failed', cause }
    }
  }

  return (id) => {
    const known = entries.get(id)
    entries.delete(id)
    if (known && known.until > clock.monotonicMs()) {
      // Re-inserted last, so the first entry is the least recently used.
      entries.set(id, known)
      return known.result
    }
    const entry: Entry = { result: Promise.resolve({ outcome: 'skipped' }), until: Number.POSITIVE_INFINITY }
    entries.set(id, entry)
    entry.result = load(id, entry)
    const [oldest] = entries.keys()
    if (oldest !== undefined && entries.size > size) entries.delete(oldest)
    return entry.result
  }
}

export interface CacheOptions {
  clock: Pick<Clock, 'monotonicMs'>
  /** Maximum number of cached results. */
  size: number
  foundMs?: number
  absentMs?: number
}

interface Entry {
  result: Promise<AccountLookup>
  /** On the monotonic clock; infinite while the request is pending. */
  until: number
}
