/** Estimates the size of a row in a message, in bytes. Errs on the high side, since it counts field names. */
export function rowBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + frameBytes
  if (value instanceof Uint8Array) return value.length + frameBytes
  if (typeof value !== 'object' || value === null || value instanceof Date) return scalarBytes
  let total = frameBytes
  // A loop, because Object.entries would allocate an array for every listed row.
  for (const name in value) total += name.length + rowBytes((value as Record<string, unknown>)[name])
  return total
}

const frameBytes = 8
const scalarBytes = 16
