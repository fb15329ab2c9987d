/** Counts open connections or requests by key. @param max per key */
export function createConcurrencyLimit(max: number): Concurrency {
  const open = new Map<string, number>()

  function leave(key: string): void {
    const count = open.get(key) ?? 0
    if (count > 1) open.set(key, count - 1)
    else open.delete(key)
  }

  return {
    enter(key) {
      const count = open.get(key) ?? 0
      if (count >= max) return undefined
      open.set(key, count + 1)
      return () => leave(key)
    },
  }
}

export interface Concurrency {
  /** Returns a function to call once on leaving; undefined if the key has reached the maximum. */
  enter(key: string): (() => void) | undefined
}
