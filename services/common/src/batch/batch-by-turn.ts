import { withSpan } from '../telemetry/index.ts'

/**
 * Collects what is requested within one turn of the event loop and sends it as one batch. A batch is sent after the last
 * of its requests was made, so it sees everything that happened before any of them.
 *
 * Requests do not affect each other, except that a failed batch fails all of them with the same error; a result that is a
 * promise can fail alone. A caller that gives up stops waiting; the batch continues for the others. The batch runs outside of
 * any span, since it belongs to several traces; callers record the time they wait for it.
 *
 * @param send returns one result for each item, in order
 * @param maxSize a turn with more items sends several batches
 */
export function batchByTurn<Item, Result>(
  send: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>,
  maxSize: number,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = []

  function flush(): void {
    const all = waiting
    waiting = []
    for (let start = 0; start < all.length; start += maxSize) {
      void settle(all.length <= maxSize ? all : all.slice(start, start + maxSize))
    }
  }

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await send(batch.map(({ item }) => item))
      if (results.length !== batch.length) throw new Error('A batch returned a wrong number of results.')
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result | Promise<Result>)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(() => withSpan(undefined, flush))
      waiting.push({ item, resolve, reject })
    })
}

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result | Promise<Result>): void
  reject(error: unknown): void
}
