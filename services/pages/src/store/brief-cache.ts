import { BoundedMap } from '@storekeep/common/http'

/** Keeps what it has loaded for five seconds. Concurrent callers share one load; failures are not kept. */
export function createBriefCache<T>({ capacity, monotonicMs }: BriefCacheOptions): BriefCache<T> {
  const entries = new BoundedMap<string, { value: Promise<T>; until: number }>(capacity)
  return {
    get(key, load) {
      const known = entries.get(key)
      if (known && known.until > monotonicMs()) return known.value
      const entry = { value: load(), until: monotonicMs() + keptMs }
      entries.set(key, entry)
      entry.value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key)
      })
      return entry.value
    },
  }
}

export interface BriefCache<T> {
  /** @param load must not depend on the signal of one request, because others wait for it as well */
  get(key: string, load: () => Promise<T>): Promise<T>
}

interface BriefCacheOptions {
  /** Number of entries. */
  capacity: number
  monotonicMs: () => number
}

const keptMs = 5000
