import type { Delivery } from './delivery.ts'

/**
 * Counts the failed attempts of each message in this process. The server's delivery count also includes deliveries that
 * failed because the database or another system was unavailable.
 */
export function createFailureCounts(): FailureCounts {
  const counts = new Map<string, number>()
  return {
    add(message) {
      const key = keyOf(message)
      const count = (counts.get(key) ?? 0) + 1
      counts.delete(key)
      counts.set(key, count)
      // Bounded: another replica may have applied the oldest messages.
      for (const oldest of counts.keys()) {
        if (counts.size <= maxCounts) break
        counts.delete(oldest)
      }
      return count
    },
    forget(message) {
      if (counts.size > 0) counts.delete(keyOf(message))
    },
  }
}

const maxCounts = 20_000

/** Includes the timestamp, because a recreated stream reuses sequence numbers. */
function keyOf({ info }: Delivery): string {
  return `${info.streamSequence} ${info.timestampNanos}`
}

interface FailureCounts {
  /** @returns the number of failed attempts */
  add(message: Delivery): number
  forget(message: Delivery): void
}
