import { randomBytes } from 'node:crypto'

/** A random snowflake id that no record has. */
export function randomId(): string {
  return (randomBytes(8).readBigUInt64BE() >> 2n).toString()
}
