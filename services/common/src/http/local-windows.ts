import { BoundedMap } from './bounded-map.ts'
import { type Grant, keyOf, type Limit, windowMs } from './limit.ts'

/** The sliding windows of the Redis script, kept in this process: the fallback, and for limits that need no Redis. */
export function createLocalWindows({ monotonicMs }: { monotonicMs: () => number }): LocalWindows {
  /** Set again at each use, so that the entry evicted is the one idle for longest. */
  const counts = new BoundedMap<string, Map<number, number>>(50_000)

  function windowOf(limit: Limit, slot: number): Map<number, number> {
    const key = keyOf(limit)
    const slots = counts.get(key) ?? new Map<number, number>()
    counts.set(key, slots)
    for (const at of slots.keys()) if (at < slot - slotCount) slots.delete(at)
    return slots
  }

  return {
    record(limit, count, atLeast) {
      const slot = Math.floor(monotonicMs() / slotMs)
      const slots = windowOf(limit, slot)
      const added = Math.max(count, atLeast - sumOf(slots))
      if (added > 0) slots.set(slot, (slots.get(slot) ?? 0) + added)
    },
    take(limits) {
      const time = monotonicMs()
      const slot = Math.floor(time / slotMs)
      const windows = limits.map((limit) => {
        const slots = windowOf(limit, slot)
        const used = sumOf(slots)
        return { limit, slots, used, granted: used < limit.quota }
      })
      const allGranted = windows.every((one) => one.granted)
      return windows.map(({ limit, slots, used, granted }) => {
        const oldest = slots.keys().next().value ?? slot
        if (allGranted) slots.set(slot, (slots.get(slot) ?? 0) + 1)
        return {
          limit,
          granted,
          remaining: Math.max(0, limit.quota - used - (allGranted ? 1 : 0)),
          resetInMs: Math.max(1, (oldest + slotCount + 1) * slotMs - time),
        }
      })
    },
  }
}

export interface LocalWindows {
  /** Counts one request against all of the limits, or against none when any of them is exhausted. */
  take(limits: readonly Limit[]): Grant[]
  /** Adds requests that were granted elsewhere, and more if the window would otherwise have fewer than `atLeast`. */
  record(limit: Limit, count: number, atLeast: number): void
}

function sumOf(slots: ReadonlyMap<number, number>): number {
  let sum = 0
  for (const count of slots.values()) sum += count
  return sum
}

const slotCount = 60
const slotMs = windowMs / slotCount
