/**
 * Like `Promise.all(items.map(run))`, but with only a few under way at a time, so that one order is no flood to the
 * service that is asked. After a failure none begins any more.
 */
export async function fewAtATime<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const rest = eachOf(items)
  // All loops take from one generator, which the first that throws closes.
  const takeTurns = async () => {
    for (const [index, item] of rest) results[index] = await run(item)
  }
  await Promise.all(Array.from({ length: few }, takeTurns))
  return results
}

const few = 8

function* eachOf<Item>(items: readonly Item[]) {
  yield* items.entries()
}
