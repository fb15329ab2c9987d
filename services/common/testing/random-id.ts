import { randomBytes } from 'node:crypto'

/** A random snowflake id of cell 0 that no record has. */
export function randomId(): string {
  return ((randomBytes(8).readBigUInt64BE() >> 2n) & ~cellBits).toString()
}

const cellBits = 63n << 16n
