/** Counts what is open at the same time, by key. @param max per key */
export function createConcurrency(max: number): Concurrency {
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
  /** Returns how to leave, to be called once; undefined when the key has the maximum open. */
  enter(key: string): (() => void) | undefined
}
