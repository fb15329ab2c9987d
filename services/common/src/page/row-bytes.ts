/** About what a row takes in a message, and rather more: names are counted too. */
export function rowBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + frameBytes
  if (value instanceof Uint8Array) return value.length + frameBytes
  if (typeof value !== 'object' || value === null || value instanceof Date) return scalarBytes
  let total = frameBytes
  // Of each row that is listed, so no list of its entries is made for it.
  for (const name in value) total += name.length + rowBytes((value as Record<string, unknown>)[name])
  return total
}

const frameBytes = 8
const scalarBytes = 16
