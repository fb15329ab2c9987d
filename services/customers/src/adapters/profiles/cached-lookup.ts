import type { Clock } from '@storekeep/common/service'
import type { AccountAnswer } from './profile-provider.ts'

type Lookup = (id: string) => Promise<AccountAnswer>

/**
 * The same look-up, remembering answers: accounts found for `foundMs`, certain absences for `absentMs`, failures not
 * at all. Asks once for callers at the same time. Forgets what was not asked for longest when there are more than
 * `size`. A look-up that throws has failed.
 */
export function cachedLookup(lookup: Lookup, options: CacheOptions): Lookup {
  const { clock, size, foundMs = 3_600_000, absentMs = 60_000 } = options
  const entries = new Map<string, Entry>()

  async function ask(id: string, entry: Entry): Promise<AccountAnswer> {
    try {
      const answer = await lookup(id)
      entry.until = clock.now().getTime() + (answer.outcome === 'found' ? foundMs : absentMs)
      return answer
    } catch (cause) {
      if (entries.get(id) === entry) entries.delete(id)
      return { outcome: 'failed', cause }
    }
  }

  return (id) => {
    const known = entries.get(id)
    entries.delete(id)
    if (known && known.until > clock.now().getTime()) {
      // Put in again at the end: the first entry is the one not asked for longest.
      entries.set(id, known)
      return known.answer
    }
    const entry: Entry = { answer: Promise.resolve({ outcome: 'unasked' }), until: Number.POSITIVE_INFINITY }
    entries.set(id, entry)
    entry.answer = ask(id, entry)
    const [oldest] = entries.keys()
    if (oldest !== undefined && entries.size > size) entries.delete(oldest)
    return entry.answer
  }
}

export interface CacheOptions {
  clock: Clock
  /** Most answers to keep. */
  size: number
  foundMs?: number
  absentMs?: number
}

interface Entry {
  answer: Promise<AccountAnswer>
  /** Milliseconds since 1970; infinite while the answer is under way. */
  until: number
}
