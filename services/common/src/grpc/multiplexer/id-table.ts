/**
 * The calls of a stream by id. A Map must not hold what is added and removed for every request: each time a Map rehashes,
 * V8 links the old table to the new one. Once one of the tables is in the old space, each table keeps the next one with
 * all of its entries alive, so the objects of every request are promoted and wait for a full collection.
 *
 * Ids that follow each other are found at once. Ids may be any integers from 0.
 */
export class IdTable<T extends { readonly id: number }> {
  #slots: (T | undefined)[] = emptySlots(16)
  #size = 0

  get size(): number {
    return this.#size
  }

  get(id: number): T | undefined {
    return this.#slots[this.#slotOf(id)]
  }

  /** Adds an entry, or replaces the one with its id. */
  add(entry: T): void {
    if (this.#size * 2 >= this.#slots.length) this.#grow()
    const slot = this.#slotOf(entry.id)
    if (this.#slots[slot] === undefined) this.#size += 1
    this.#slots[slot] = entry
  }

  /** @returns the removed entry */
  remove(id: number): T | undefined {
    const slots = this.#slots
    const mask = slots.length - 1
    let free = this.#slotOf(id)
    const removed = slots[free]
    if (removed === undefined) return undefined
    this.#size -= 1
    // Moves up the entries that would no longer be found behind the free slot.
    for (let slot = (free + 1) & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot]
      if (entry === undefined) break
      if (((slot - entry.id) & mask) < ((slot - free) & mask)) continue
      slots[free] = entry
      free = slot
    }
    slots[free] = undefined
    return removed
  }

  /** A copy, in no particular order. */
  entries(): T[] {
    return this.#slots.filter((entry) => entry !== undefined)
  }

  /** The slot of the entry with this id, otherwise the one to add it to. */
  #slotOf(id: number): number {
    const mask = this.#slots.length - 1
    let slot = id & mask
    for (;;) {
      const entry = this.#slots[slot]
      if (entry === undefined || entry.id === id) return slot
      slot = (slot + 1) & mask
    }
  }

  #grow(): void {
    const entries = this.entries()
    this.#slots = emptySlots(this.#slots.length * 2)
    for (const entry of entries) this.#slots[this.#slotOf(entry.id)] = entry
  }
}

/** @param count a power of two */
function emptySlots<T>(count: number): (T | undefined)[] {
  return Array.from({ length: count }, () => undefined)
}
