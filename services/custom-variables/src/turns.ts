/**
 * One piece of work at a time in this process, each in a turn of the event loop of its own, so that input and output go
 * on in between however many calls wait. Stores are served in turn: none waits for all the work of another.
 */
export function createTurns(): Turns {
  // A Map keeps the order of insertion: the store that was not served for the longest comes first.
  const waiting = new Map<string, (() => void)[]>()
  const serve = () => {
    const [next] = waiting
    if (!next) return
    const [storeId, calls] = next
    waiting.delete(storeId)
    calls.shift()?.()
    if (calls.length > 0) waiting.set(storeId, calls)
    if (waiting.size > 0) setImmediate(serve)
  }
  return {
    next: (storeId) =>
      new Promise((resolve) => {
        if (waiting.size === 0) setImmediate(serve)
        const calls = waiting.get(storeId)
        if (calls) calls.push(resolve)
        else waiting.set(storeId, [resolve])
      }),
  }
}

export interface Turns {
  /** Waits for the store's turn, which lasts until the caller waits again. */
  next(storeId: string): Promise<void>
}
