/**
 * Hashes keys of one store: a kind and a text become 64 bits, printed as a decimal int8. The store is part of every
 * key, so one index serves all stores and a lookup in one store never reads the entries of another.
 *
 * The hashes are stored in the index: increment `indexVersion` with every change.
 */
export function keyHasher(storeId: string): (kind: string, text: string) => string {
  const store = mix({ high: 0xdeadbeef, low: 0x41c6ce57 }, `${storeId}\0`)
  const kindHashes = new Map<string, Halves>()
  return (kind, text) => {
    let start = kindHashes.get(kind)
    if (!start) {
      start = mix(store, `${kind}\0`)
      kindHashes.set(kind, start)
    }
    return finish(mix(start, text))
  }
}

/** Two 32-bit hashes with different multipliers. */
interface Halves {
  high: number
  low: number
}

function mix({ high, low }: Halves, text: string): Halves {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 2654435761)
    high ^= high >>> 15
    low = Math.imul(low ^ unit, 1597334677)
    low ^= low >>> 13
  }
  return { high, low }
}

function finish({ high, low }: Halves): string {
  const a = avalanche(high, low)
  const b = avalanche(low, a)
  return ((BigInt(a | 0) << 32n) | BigInt(b >>> 0)).toString()
}

function avalanche(value: number, other: number): number {
  const first = Math.imul(value ^ (value >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909)
  return (first ^ (first >>> 16)) >>> 0
}
