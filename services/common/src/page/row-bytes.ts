/** Estimates the size of a row in a message, in bytes. Errs on the high side, since it counts field names. */
export function rowBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + frameBytes
  if (value instanceof Uint8Array) return value.length + frameBytes
  if (typeof value !== 'object' || value === null || value instanceof Date) return scalarBytes
  let total = frameBytes
  for (const name in value) total += name.length + rowBytes((value as Record<string, unknown>)[name])
  return total
}

/** An upper bound of `rowBytes`, which is much faster to find, because it does not look at the characters of a text. */
export function maxRowBytes(row: object): number {
  let total = frameBytes
  // A loop, because Object.entries would allocate an array for every listed row.
  for (const name in row) {
    const value = (row as Record<string, unknown>)[name]
    total += name.length + scalarBytes
    if (typeof value === 'string') total += 3 * value.length
    else if (value instanceof Uint8Array) total += value.length
    else if (typeof value === 'object' && value !== null && !(value instanceof Date)) total += maxRowBytes(value)
  }
  return total
}

const frameBytes = 8
const scalarBytes = 16
