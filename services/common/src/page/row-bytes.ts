/**
 * Estimates the size of a row in a message, in bytes. Errs on the high side, since it counts field names.
 * @param textBytes the size of a text
 */
export function rowBytes(value: unknown, textBytes: (text: string) => number = Buffer.byteLength): number {
  if (typeof value === 'string') return textBytes(value) + frameBytes
  if (value instanceof Uint8Array) return value.length + frameBytes
  if (typeof value !== 'object' || value === null || value instanceof Date) return scalarBytes
  let total = frameBytes
  // A loop, because Object.entries would allocate an array for every listed row.
  for (const name in value) total += name.length + rowBytes((value as Record<string, unknown>)[name], textBytes)
  return total
}

/** An upper bound of the size of a text, much faster to find than the size. */
export function maxTextBytes(text: string): number {
  return 3 * text.length
}

const frameBytes = 8
const scalarBytes = 16
