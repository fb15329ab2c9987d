import type { JsMsg } from '@nats-io/jetstream'

/**
 * How often each message failed by its own fault in this process. The server's count of deliveries holds also those
 * for which the database or another system was to blame.
 */
export function createFailureCounts(): FailureCounts {
  const counts = new Map<string, number>()
  return {
    add(message) {
      const key = keyOf(message)
      const count = (counts.get(key) ?? 0) + 1
      counts.delete(key)
      counts.set(key, count)
      // Another replica may have applied the oldest.
      for (const oldest of counts.keys()) {
        if (counts.size <= maxCounts) break
        counts.delete(oldest)
      }
      return count
    },
    forget: (message) => void counts.delete(keyOf(message)),
  }
}

const maxCounts = 20_000

/** A stream that was made anew begins with the first number again. */
function keyOf({ info, timestamp }: JsMsg): string {
  return `${info.streamSequence} ${timestamp}`
}

interface FailureCounts {
  /** @returns how often it has failed now */
  add(message: JsMsg): number
  forget(message: JsMsg): void
}
