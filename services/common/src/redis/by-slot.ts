/**
 * Sends the items of each slot separately, so that an item fails only together with its slot.
 * @param send returns one result for each item, in order
 */
export async function sendBySlot<Item, Result>(
  items: readonly Item[],
  slotOf: (item: Item) => number,
  send: (items: readonly Item[], slot: number) => Promise<readonly Result[]>,
): Promise<readonly (Result | Promise<Result>)[]> {
  const [first] = items
  if (first === undefined) return []
  const slot = slotOf(first)
  if (items.every((item) => slotOf(item) === slot)) return await send(items, slot)
  const parts = Map.groupBy(items.keys(), (index) => slotOf(items[index] as Item))
  const results = new Array<Result | Promise<Result>>(items.length)
  for (const [slot, indexes] of parts) {
    const sent = send(
      indexes.map((index) => items[index] as Item),
      slot,
    )
    for (const [position, index] of indexes.entries()) results[index] = sent.then((all) => all[position] as Result)
  }
  return results
}
