import { createHash } from 'node:crypto'

/** A Lua script that Redis runs as one step. Define it once, beside the code that uses it. */
export interface RedisScript {
  readonly text: string
  readonly sha1: string
}

/**
 * @param text Lua. Keys come as `KEYS`, everything else as `ARGV`, both as strings. Every key the script touches
 * must be among `KEYS`
 */
export function defineScript(text: string): RedisScript {
  return { text, sha1: createHash('sha1').update(text).digest('hex') }
}
