import { randomBytes } from 'node:crypto'

/** A flake id that nothing has. */
export function randomId(): string {
  return (randomBytes(8).readBigUInt64BE() >> 2n).toString()
}
